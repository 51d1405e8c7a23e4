"""Whether two elliptical laws in infinite dimension are equivalent, decided from their spectra."""
