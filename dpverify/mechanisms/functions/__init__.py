"""Functions released through Gaussian processes, and through their Fourier coefficients."""
