"""dpverify: a proof of the exact epsilon of elliptical noise, or a proof that there is none."""

__version__ = "0.1.0"
