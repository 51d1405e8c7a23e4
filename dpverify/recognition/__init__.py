"""Which family of the catalogue a typed generator is: found with floats, proved by exact rewriting."""

from dpverify.recognition.recognise import Recognised, recognise

__all__ = ["Recognised", "recognise"]
