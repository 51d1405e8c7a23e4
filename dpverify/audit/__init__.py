"""Empirical audits: lower confidence bounds on epsilon from samples of two neighbouring outputs."""

import sys

from dpverify.audit.bounds import epsilon_lower_bound
from dpverify.audit.built_in import BuiltIn
from dpverify.audit.campaign import audit
from dpverify.audit.curves import CurveReport, audit_curve
from dpverify.audit.events import Event
from dpverify.audit.mechanism import Mechanism
from dpverify.audit.one_run import OneRunReport, audit_one_run
from dpverify.audit.report import AuditReport
from dpverify.audit.sample_files import Files
from dpverify.audit.sequential import SequentialReport, audit_until
from dpverify.called import Called

sys.modules[__name__].__class__ = Called

__all__ = [
    "AuditReport",
    "BuiltIn",
    "CurveReport",
    "Event",
    "Files",
    "Mechanism",
    "OneRunReport",
    "SequentialReport",
    "audit",
    "audit_curve",
    "audit_one_run",
    "audit_until",
    "epsilon_lower_bound",
]
