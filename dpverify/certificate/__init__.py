"""Certificates: the claim and its proof as data that a separate checker accepts."""

from dpverify.certificate.build import build
from dpverify.serialise import digest, load, serialise

__all__ = ["build", "digest", "load", "serialise"]
