"""The prover: free to search, owes a proof."""

from dpverify.prover.verify import Examined, problem_of, verify

__all__ = ["Examined", "problem_of", "verify"]
