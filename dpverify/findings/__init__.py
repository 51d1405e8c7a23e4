"""What is found, as data, and the one place that words it.

The prover says which finding it is and where: `Why.RISES(a=..., b=...)`; and where rigorous arithmetic cannot
decide, which reason it is, of what part and where: `Reason.NOT_BOUNDED(what=Part.LOSS, where=Place.TAIL)`. What people
read is the clause that stands beside the finding's name, with its values in it.
"""

from dpverify.findings.clauses import Clause, Finding
from dpverify.findings.gaps import Gap
from dpverify.findings.reasons import Part, Place, Reason
from dpverify.findings.verdicts import Why, failed

__all__ = ["Clause", "Finding", "Gap", "Part", "Place", "Reason", "Why", "failed"]
