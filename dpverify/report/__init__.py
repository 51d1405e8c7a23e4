"""Results for people: terminal text, notebooks, figures."""
