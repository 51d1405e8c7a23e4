"""The papers' tables and figures, computed anew and laid beside what is printed.

A `Study` is one of them; `reproduce` runs it, with what an earlier, interrupted run has already found.
"""

from dpverify.reproduce.cell import Cell, Verdict
from dpverify.reproduce.graph import Graph, Series
from dpverify.reproduce.registry import all_studies, choose
from dpverify.reproduce.study import Reproduction, Study, reproduce
from dpverify.reproduce.work import Work

__all__ = ["Cell", "Graph", "Reproduction", "Series", "Study", "Verdict", "Work", "all_studies", "choose", "reproduce"]
