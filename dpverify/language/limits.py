"""How much a text may hold. The certificate's checker has the same limits."""

MAX_TEXT = 4_000
"""Characters of a generator's text."""

MAX_DEPTH = 100
"""Levels of nesting."""

MAX_DIGITS = 2_000
"""Characters of one number."""

MAX_DECIMAL_EXPONENT = 9_999
"""Size of the exponent in a decimal such as 1e-9."""

MAX_EXPONENT = 10_000
"""Size of an integer power of a number, such as 2**500."""

MAX_BITS = 20_000
"""Bits of a number, numerator and denominator together, after folding."""

MAX_RADIAL_EXPONENT = 10**9
"""Numerator and denominator of any other rational power."""

MAX_DIMENSION = 10**6
"""Dimensions of the space."""

MAX_VALUE_BITS = 3_000
"""Bits of a sensitivity, scale, tolerance or parameter: about 900 digits, so that a certificate can hold it."""

MAX_RESULT_BITS = 6_000
"""Bits of a bound that a result states; the checker reads 2,000 characters."""
