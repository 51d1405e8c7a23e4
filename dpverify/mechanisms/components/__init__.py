"""Private principal components by the exponential mechanism."""
