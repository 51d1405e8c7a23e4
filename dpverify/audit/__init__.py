"""Empirical audits: lower confidence bounds on epsilon from samples of two neighbouring outputs."""

from dpverify.audit.bounds import epsilon_lower_bound
from dpverify.audit.campaign import audit
from dpverify.audit.events import Event
from dpverify.audit.report import AuditReport
from dpverify.audit.sources import BuiltIn, Files, Mechanism

__all__ = ["AuditReport", "BuiltIn", "Event", "Files", "Mechanism", "audit", "epsilon_lower_bound"]
