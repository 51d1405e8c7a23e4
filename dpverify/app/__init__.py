"""The explorer: a local page with a generator's curves, its verdict and its proof, built on marimo."""
