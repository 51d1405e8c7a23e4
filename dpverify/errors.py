"""The errors that dpverify raises on purpose, one family; each message is one line."""


class DpverifyError(Exception):
    """Something that the caller can act on; the message says what is wrong, where, and what to do."""


class InputError(DpverifyError, ValueError):
    """The text, number or file that was given cannot be used."""


class Refused(DpverifyError):
    """What was asked for is understood, and must not be done."""
