"""The prover: free to search, owes a proof."""

from dpverify.prover.verify import problem_of, verify

__all__ = ["problem_of", "verify"]
