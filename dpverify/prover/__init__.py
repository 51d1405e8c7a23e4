"""The prover: free to search, owes a proof."""

from dpverify.prover.verify import verify

__all__ = ["verify"]
