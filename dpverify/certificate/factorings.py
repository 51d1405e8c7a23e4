"""Rational functions of the kernel's tree as products, where the prover reads them so too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flint import fmpq

from dpverify.kernel.sections.algebra import root_of_r
from dpverify.kernel.sections.radicals import root_of_r as root_among_radicals
from dpverify.kernel.tree import Node, walk
from dpverify.prover import algebra, radicals


def factorings(tree: Node) -> list[dict[str, Any]]:
    """What the step 'factored' says: for each node that hides a multiple zero or pole its product."""
    return list(_found(tree))


def _found(node: Node) -> Iterator[dict[str, Any]]:
    parts = node.args if node.kind == "mul" else (node,)
    mine = [a for a in parts if root_of_r(a) is not None]
    if any(a.kind in ("add", "mul", "pow") for a in mine):
        product = algebra.product_of_nodes([_lowered(a) for a in mine])[0]
        if product is not None:
            factors = [{"polynomial": [str(c) for c in p.coeffs()], "power": m} for p, m in product.factors]
            yield {"node": node.number, "constant": str(product.constant), "factors": factors}
            return
        if len(mine) == len(parts):
            return
    for a in node.args:
        if isinstance(a, Node):
            yield from _found(a)
        elif isinstance(a, tuple):
            yield from _found(a[0])


def with_radicals(tree: Node) -> list[dict[str, Any]]:
    """What the step 'radicals' says: the same where coefficients have roots of numbers."""
    roots = any(node.kind == "pow" and node.args[0].kind == "num" for node in walk(tree))
    return list(_among_radicals(tree)) if roots else []


def _among_radicals(node: Node) -> Iterator[dict[str, Any]]:
    parts = node.args if node.kind == "mul" else (node,)
    mine = [a for a in parts if root_among_radicals(a) is not None]
    if node.number and any(a.kind in ("add", "pow") for a in mine):
        product = radicals.product_of_nodes([_lowered(a) for a in mine])
        if product is not None:
            factors = [{"polynomial": _terms(product.field, f), "power": m} for f, m in product.factors]
            constant = _terms(product.field, [product.constant])
            roots = [list(base) for base in product.field.bases]
            yield {"node": node.number, "roots": roots, "constant": constant, "factors": factors}
            return
        if len(mine) == len(parts):
            return
    for a in node.args:
        if isinstance(a, Node):
            yield from _among_radicals(a)
        elif isinstance(a, tuple):
            yield from _among_radicals(a[0])


def _terms(field: radicals.Field, f: radicals.Polynomial) -> list[list[Any]]:
    """For each term its coefficient, and its exponents: that of s, and those of the roots."""
    return [[str(c), k, *exponents] for k, x in enumerate(f) for c, exponents in field.terms(x)]


def _lowered(node: Node) -> Any:
    """The same node for the prover."""
    args = (_lowered(a) if isinstance(a, Node) else fmpq(a.numerator, a.denominator) for a in node.args)
    return algebra.node(node.kind, *args)


def falls_flat(tree: Node) -> bool:
    """Whether f falls by algebra, its slope being 0 somewhere."""
    return _elementary(tree) and algebra.falls_flat(_lowered(tree))


def _elementary(node: Node) -> bool:
    parts = [a for a in node.args if isinstance(a, Node)]
    return node.kind in ("num", "r", "add", "mul", "pow", "exp") and all(map(_elementary, parts))
