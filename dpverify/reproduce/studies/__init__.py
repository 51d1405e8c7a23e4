"""The studies, a module each."""
