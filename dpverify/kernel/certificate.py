"""Reading the file, loading the sections that it lists, and checking the claim."""

from __future__ import annotations

import json

from .intervals import outward_arithmetic, outward_functions
from .rules import LEDGER, Ledger, Rejected, Unreadable, brought, require, section_of
from .steps import digits, named, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

FORMAT, VERSION = "dpverify-certificate", 2
MAX_BYTES = 20_000_000
SECTIONS = (
    "slopes", "hypotheses", "tail", "models", "ends", "increments", "theorem_3", "witness",
    "by_form", "hyperbolic", "series", "near_zero", "ways", "exponentials", "signs", "definedness",
    "analytic", "falling", "curvature", "closed_forms", "undefined", "guards", "refutations",
    "support", "algebra", "centre", "waves", "branches", "theorem_a", "short", "gamma", "besselk",
    "erfc", "smooth", "loggamma", "incomplete_gamma", "besseli", "inverse", "apart", "jumps",
    "jets", "panels", "profiles", "normal", "composition", "losses", "releases", "lines", "torus",
    "independence", "tilted", "mixtures", "radicals", "windows", "pieces", "far_boxes",
    "softplus", "vertices", "staircases", "supports", "atoms", "measures", "suprema", "moments",
    "gaussians", "shifts", "conjugates", "layers", "turning", "leaps", "outgrowing", "logarithms",
    "shells", "values", "mills", "at_once", "saws", "powers", "lipschitz", "continuity",
    "pairs", "exponents", "alike", "common", "sines", "roots", "cuts_that_rise",
    "unsteady", "hilbert", "nothing", "limits", "recurring", "rough", "riccati", "squares",
    "steep_phases", "steep_torus", "saws_in_logs", "teeth",
    "brims", "majorants", "one_side", "angles", "towers", "absent", "positivity",
    "irrationals", "unreached", "periods", "narrowing", "dominated", "eventually", "ended",
    "units", "directions", "renyi", "brackets", "brinks", "patches", "relative",
    "constant_sums", "balls", "vanishing", "kullback", "faint",
    "discrete", "sums", "blends")
KINDS: dict[str, tuple[Callable[[Any, Any], list[str]], Callable[[Any], str]]] = {}
"""How a claim of each kind is checked, and said in one line."""


class Checked:
    """What a replay returns: the claim, and its proof; what it assumes; the rules it rests on."""

    def __init__(self, claim: dict[str, Any], assumptions: tuple[str, ...], digest: str,
                 rules: tuple[str, ...], proof: dict[str, Any]) -> None:
        self.claim, self.assumptions, self.digest, self.rules = claim, assumptions, digest, rules
        self.proof = proof

    def __str__(self) -> str:
        """The claim in one line."""
        return KINDS[kind_of(self.claim)][1](self.claim)


def check_certificate(certificate: Any) -> Checked:
    """The claim, proved; raises Rejected."""
    head = {"format", "version", "program", "claim", "rules", "proof", "assumptions", "digest"}
    known = isinstance(certificate, dict) and certificate.get("format") == FORMAT
    require(known, "this is not a dpverify certificate", "format")
    version = certificate.get("version")
    old = type(version) is int and 1 <= version < VERSION
    upgrade = f"the certificate has the old version {version}; dpverify upgrade FILE renews it"
    require(not old, upgrade, "format")
    require(type(version) is int and version == VERSION, "its version is unknown", "format")
    record(certificate, "the certificate", head)
    program = record(certificate["program"], "program", {"name", "version"}).values()
    texts = all(isinstance(v, str) for v in program)
    require(texts, "program is not described by texts", "format")
    intact = certificate["digest"] == digest(certificate)
    require(intact, "the digest does not match the content: the file was altered", "digest")
    listed = load(certificate["rules"], certificate["claim"], certificate["proof"])
    ledger = Ledger(frozenset(listed))
    assumptions = replay(certificate["claim"], certificate["proof"], ledger)
    idle = [number for number in listed if number not in ledger.used]
    require(not idle, f"the rule {', '.join(idle)[:60]} is listed, but not used", "rules")
    same = certificate["assumptions"] == assumptions
    require(same, "the list of assumptions is not the one that the proof needs", "claim")
    return Checked(certificate["claim"], tuple(assumptions), certificate["digest"], tuple(listed),
                   certificate["proof"])


def load(rules: Any, claim: Any, steps: Any) -> list[str]:
    """The rules listed, by section; each section is loaded when it is named, and not before."""
    require(isinstance(rules, dict), "the rules are not listed by section", "format")
    for numbers in rules.values():
        texts = isinstance(numbers, list) and all(isinstance(n, str) for n in numbers)
        require(texts and bool(numbers), "the rules of a section are not a list", "format")
    today = set(rules) <= {"core", *SECTIONS}
    if not today or any(section_of(n) != "core" for n in rules.get("core", ())):
        load_section("older")
        rules = brought("an older list of rules")(rules, claim, steps)
    require(set(rules) <= {"core", *SECTIONS}, "the rules are not listed by section", "format")
    for section, numbers in rules.items():
        if section != "core":
            load_section(section)
        own = all(section_of(n) == section for n in numbers)
        require(own, f"a rule is listed that the section {section} does not have", "rules")
    listed = [number for numbers in rules.values() for number in numbers]
    require(len(set(listed)) == len(listed), "a rule is listed twice", "rules")
    return sorted(listed, key=lambda number: (len(number), number))


def load_section(name: str) -> None:
    __import__(f"{__package__}.sections.{name}")


def replay(claim: Any, steps: Any, ledger: Ledger) -> list[str]:
    """The assumptions of the claim, proved; the rules that prove it are entered in the ledger."""
    token = LEDGER.set(ledger)
    try:
        outward_arithmetic()
        outward_functions()
        unknown = "the kind of claim is unknown, or its section is not listed"
        return named(KINDS, kind_of(claim), unknown, "claim")[0](claim, steps)
    except Rejected as refusal:
        refusal.code = refusal.code or "steps"
        raise
    finally:
        LEDGER.reset(token)


def kind_of(claim: Any) -> Any:
    """A claim that names no kind is one of an epsilon."""
    return claim.get("kind", "epsilon") if isinstance(claim, dict) else "epsilon"


def digest(certificate: dict[str, Any]) -> str:
    """SHA-256 of the certificate without its digest, as compact JSON with sorted keys."""
    content = {k: v for k, v in certificate.items() if k != "digest"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return sha256()(text.encode()).hexdigest()


def sha256() -> Callable[[bytes], Any]:
    """Python's own, by its name from 3.12 on and before; hashlib loads OpenSSL, at length."""
    for module in ("_sha2", "_sha256"):
        try:
            return __import__(module).sha256
        except ImportError:
            continue
    return __import__("hashlib").sha256


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({k for k, _ in pairs}) != len(pairs):
        raise Unreadable("an object has the same key twice", "format")
    return dict(pairs)


def plain(text: str) -> int:
    if len(text) > 20 or not digits(text.removeprefix("-")):
        raise Unreadable("a number is not a short integer", "format")
    return int(text)


def read(data: bytes) -> Any:
    """The JSON of a file's bytes, refused where it is too large or ambiguous."""
    if len(data) > MAX_BYTES:
        raise Unreadable(f"the file is larger than {MAX_BYTES} bytes", "limits")
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=unique, parse_int=plain,
                          parse_float=plain, parse_constant=plain)
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise Unreadable("the file is not JSON in UTF-8", "format") from None


def check_bytes(data: bytes) -> Checked:
    """Check a certificate's bytes: what they prove, or Rejected (Unreadable: no certificate)."""
    certificate = read(data)
    try:
        return check_certificate(certificate)
    except (ArithmeticError, RecursionError, MemoryError, ValueError) as error:
        why = f"the arithmetic of a step fails ({type(error).__name__})"
        raise Rejected(why, "limits") from None
