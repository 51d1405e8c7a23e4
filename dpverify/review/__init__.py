"""A certificate as one page for a reviewer: replayed by the kernel, in words, formulas and a plot."""

from dpverify.review.document import SUFFIXES, write
from dpverify.review.examine import Examination, examine

__all__ = ["SUFFIXES", "Examination", "examine", "write"]
