"""Random differential privacy: records are independent draws of one law."""
