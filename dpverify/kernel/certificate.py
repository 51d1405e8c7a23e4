"""Reading the file and checking the claim."""

from __future__ import annotations

import json
from fractions import Fraction

from . import proof as claims
from .charts import Problem
from .intervals import outward_arithmetic, outward_functions
from .proof import Proof
from .reader import RESERVED, Reader
from .rules import LEDGER, RULES, Ledger, Rejected, Unreadable, brought, require, section_of
from .steps import Steps, chart, digits, ends, named, rational, record, whole
from .tree import Node, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

FORMAT, VERSION = "dpverify-certificate", 2
MAX_BYTES, MAX_WORK = 20_000_000, 1_000_000
SECTIONS = (
    "models", "ends", "increments", "theorem_3", "witness", "by_form", "hyperbolic",
    "series", "near_zero", "ways", "exponentials", "signs", "definedness", "analytic", "falling",
    "curvature", "closed_forms", "undefined", "guards", "refutations", "support", "algebra",
    "centre", "waves", "branches", "theorem_a", "short", "special", "smooth", "gammas", "besseli", "inverse",
    "apart", "jumps", "jets", "panels", "profiles", "normal", "composition", "losses", "releases",
    "lines", "torus", "independence", "tilted", "mixtures", "radicals",
    "windows", "pieces", "staircases", "supports", "measures", "shifts")
STATUSES = ("proved", "refuted", "undecided")
HYPOTHESES = (
    "defined", "positive", "decreasing", "finite_at_zero", "integrable", "tail_ratio_bounded")
CLAIM = {
    "generator", "parameters", "dimension", "sensitivity", "scale", "verdict", "epsilon",
    "tail_log_ratio", "hypotheses", "theorem", "closed_form"}
LEMMAS: dict[str, str] = {}
"""What a kind of node takes on trust; the section that brings the kind says so."""
KINDS: dict[str, tuple[Callable[[Any, Any], list[str]], Callable[[Any], str]]] = {}
"""How claims of another kind than that of an epsilon are checked, and said in one line."""
EXTENSIONS: dict[str, Callable[[Problem, Steps, Subject], Problem]] = {}
"""Steps that say more of how f is evaluated on the charts, and what takes them."""


class Checked:
    """What a replay returns: the claim, proved, and its proof; what it assumes; the rules it rests
    on."""

    def __init__(self, claim: dict[str, Any], assumptions: tuple[str, ...], digest: str,
                 rules: tuple[str, ...], proof: dict[str, Any]) -> None:
        self.claim, self.assumptions, self.digest, self.rules = claim, assumptions, digest, rules
        self.proof = proof

    def __str__(self) -> str:
        """The claim in one line."""
        if "kind" in self.claim:
            return KINDS[self.claim["kind"]][1](self.claim)
        claim, bounds = self.claim, self.claim["epsilon"]
        delta = Fraction(claim["sensitivity"]) / Fraction(claim["scale"])
        names = "".join(f", {k} = {v}" for k, v in sorted(claim["parameters"].items()))
        size = f", {bounds['lower']} <= epsilon <= {bounds['upper']}" if bounds else ""
        what = f"f(y) = {claim['generator']}{names}, d = {claim['dimension']}"
        return f"{claim['verdict']}: {what}, Delta/sigma = {delta}{size}"


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
    program = record(certificate["program"], "program", {"name", "version"})
    texts = all(isinstance(v, str) for v in program.values())
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


def replay(claim: Any, steps: Any, ledger: Ledger) -> list[str]:
    """The assumptions of the claim, proved; the rules that prove it are entered in the ledger."""
    token = LEDGER.set(ledger)
    try:
        return check_claim(claim, steps)
    except Rejected as refusal:
        refusal.code = refusal.code or "steps"
        raise
    finally:
        LEDGER.reset(token)


def load(rules: Any, claim: Any, steps: Any) -> list[str]:
    """The rules listed, by section; each section is loaded when it is named, and not before."""
    known = isinstance(rules, dict) and set(rules) <= {"core", *SECTIONS}
    require(known, "the rules are not listed by section", "format")
    for numbers in rules.values():
        texts = isinstance(numbers, list) and all(isinstance(n, str) for n in numbers)
        require(texts and bool(numbers), "the rules of a section are not a list", "format")
    if "models" not in rules:  # as in lists from before some rules left the core
        load_section("older")
        rules = brought("an older list of rules")(rules, claim, steps)
    for section, numbers in rules.items():
        if section != "core":
            load_section(section)
        own = all(n in RULES and section_of(n) == section for n in numbers)
        require(own, f"a rule is listed that the section {section} does not have", "rules")
    listed = [number for numbers in rules.values() for number in numbers]
    once = len(set(listed)) == len(listed)
    require(once, "a rule is listed twice", "rules")
    return sorted(listed, key=lambda number: (len(number), number))


def load_section(name: str) -> None:
    __import__(f"{__package__}.sections.{name}")


class Subject:
    """What a claim is about: the generator's tree, delta = Delta/sigma, and the closed form."""

    def __init__(self, claim: Any) -> None:
        record(claim, "claim", CLAIM)
        self.dimension = whole(claim["dimension"], "dimension", 1, 10**6)
        sensitivity = rational(claim["sensitivity"], "sensitivity")
        scale = rational(claim["scale"], "scale")
        both = sensitivity > 0 and scale > 0
        require(both, "sensitivity and scale are not positive", "claim")
        self.delta = sensitivity / scale
        names = parameters(claim["parameters"])
        bound = {**names, "d": Fraction(self.dimension)}
        self.reader = Reader(claim["generator"], bound)
        self.tree, self.form = self.reader.tree(), None
        used = self.reader.named
        if claim["closed_form"] is not None:
            form = Reader(claim["closed_form"], {**bound, "delta": self.delta}, radial=False)
            self.form, used = (form, form.tree()), used | form.named
        idle = sorted(set(names) - used)
        require(not idle, f"the parameter {', '.join(idle)[:60]} is not used", "claim")

    def nodes(self) -> list[Node]:
        """The nodes of the generator that the proof may evaluate, those of needs included."""
        return walk(self.reader.roots(self.tree))

    def assumptions(self) -> list[str]:
        form = self.form[0].roots(self.form[1]) if self.form else ()
        kinds = {node.kind for node in (*self.nodes(), *walk(form))}
        return [lemma for kind, lemma in LEMMAS.items() if kind in kinds]


def check_claim(claim: Any, given: Any) -> list[str]:
    """The assumptions of the claim, proved by the steps that are given."""
    if isinstance(claim, dict) and "kind" in claim:
        unknown = "the kind of claim is unknown, or its section is not listed"
        return named(KINDS, claim["kind"], unknown, "claim")[0](claim, given)
    outward_arithmetic()
    outward_functions()
    subject, steps = Subject(claim), Steps(given)
    statuses = record(claim["hypotheses"], "hypotheses", set(HYPOTHESES))
    valid = all(isinstance(s, str) and s in STATUSES for s in statuses.values())
    require(valid, "the status of a hypothesis is unknown", "claim")
    if statuses["defined"] == "refuted":
        brought("an operation of the text without a value")(claim, statuses, steps, subject.reader)
    else:
        require(statuses["defined"] == "proved", "f is not claimed to be defined", "claim")
        rewrite(subject, steps)
        check_defined(claim, statuses, Proof(problem(steps, subject), steps), subject)
    steps.finish()
    return subject.assumptions()


def rewrite(subject: Subject, steps: Steps) -> None:
    """The subject's tree as the proof has it, equal to what was read almost everywhere."""
    for name, rewriting in sorted(claims.REWRITINGS.items()):
        if steps.has(name):
            subject.tree = rewriting(subject.tree, steps.take(name))


def check_defined(claim: Any, statuses: dict[str, str], proof: Proof, subject: Subject) -> None:
    claims.defined(proof, subject.reader.needs)
    for name in HYPOTHESES[1:]:
        if statuses[name] != "undecided":
            table = claims.PROVED if statuses[name] == "proved" else claims.REFUTED
            unknown = f"no section listed shows {name} {statuses[name]}"
            require(name in table, unknown, "rules")
            table[name](proof)
    check_verdict(claim, statuses, proof)
    if claim["tail_log_ratio"] is not None:
        brought("the limsup of the loss")(proof, *ends(claim["tail_log_ratio"], "tail_log_ratio"))
    if subject.form is not None:
        private = claim["verdict"] == "private"
        require(private, "a closed form without an epsilon", "claim")
        brought("a closed form of epsilon")(*subject.form, *ends(claim["epsilon"], "epsilon"))


def parameters(given: Any) -> dict[str, Fraction]:
    require(isinstance(given, dict), "parameters is not an object", "format")
    permitted = all(k.isascii() and k.isidentifier() and k not in RESERVED for k in given)
    require(permitted, "a parameter's name is not permitted", "claim")
    return {k: rational(v, f"parameter {k[:40]}") for k, v in given.items()}


def problem(steps: Steps, subject: Subject) -> Problem:
    """The charts that the proof names, and what sections make of them."""
    zero, far = chart(steps.take("zero"), "zero"), chart(steps.take("infinity"), "infinity")
    require(zero[0] < far[0], "the charts at zero and at infinity overlap", "steps")
    size, order = max(subject.tree.size, len(subject.nodes())), max(zero[1], far[1])
    too_large = "the models' order is too large for so large a generator"
    require(size * order**3 <= MAX_WORK, too_large, "limits")
    found = Problem(subject.tree, subject.dimension, subject.delta, zero, far)
    for name in ("ways", "apart", "series"):  # whichever section was loaded first
        if steps.has(name) and name in EXTENSIONS:
            found = EXTENSIONS[name](found, steps, subject)
    return found


def check_verdict(claim: dict[str, Any], statuses: dict[str, str], replay: Proof) -> None:
    verdict, epsilon, theorem = claim["verdict"], claim["epsilon"], claim["theorem"]
    fits = (verdict == "private") == (epsilon is not None) == (theorem is not None)
    require(fits, "epsilon and theorem do not fit the verdict", "claim")
    if verdict != "private":
        unknown = "the verdict is unknown, or its section is not listed"
        named(claims.VERDICTS, verdict, unknown, "claim")(statuses, replay)
        return
    unknown = "the theorem is unknown, or its section is not listed"
    at_most, more = named(claims.THEOREMS, theorem, unknown, "claim")
    needed = {"positive", "finite_at_zero", "integrable", "tail_ratio_bounded"} | more
    proved = all(statuses[n] == "proved" for n in needed)
    require(proved, f"{theorem} needs hypotheses that are not proved", "claim")
    low, high = ends(epsilon, "epsilon")
    at_most(replay, high)
    brought("a witness of the lower bound")(replay, low)


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
