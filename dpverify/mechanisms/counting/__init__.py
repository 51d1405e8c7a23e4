"""Counts, histograms and margins."""
