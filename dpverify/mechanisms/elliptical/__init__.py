"""Means and functionals with elliptical noise."""
