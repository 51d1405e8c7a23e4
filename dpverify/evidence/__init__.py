"""What can be checked again with Python's standard library alone: the sensitivity's derivation, and whole bundles.

The folder imports nothing of dpverify, as it is packed into every bundle beside the kernel.
"""
