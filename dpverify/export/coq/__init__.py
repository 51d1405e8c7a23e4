"""Certificates as Coq files (Debian's coq 8.16 with libcoq-interval 4.6).

The proof is by reflection. `library/` holds, with its soundness proof, a small checker written in
Coq: expressions and their derivatives, intervals on boxes, models at both ends. An export states
the claim in ordinary notation and lets Coq's kernel run that checker. `plan` chooses the radii, and
tries them out in Python so that nothing is written that coqc would reject.
"""

from dpverify.export.coq.certificate import export

__all__ = ["export"]
