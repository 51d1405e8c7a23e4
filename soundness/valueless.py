"""Generators of which a part has no value: none may be accepted but as invalid, in single radii all may.

A part is planted in a random text whose proof is known.  soundness/raw.py, which reads the text as typed, says whether
it has a value almost everywhere; then the text goes straight into the certificate of the text without the part, with
several ways to say that the part has a value, and through the completer as the claim that it has none; some also go
through the completer with the proof of the text without the part, and through prover and kernel.

python -m soundness.valueless --seed 1 --count 2000 --jobs 2
"""

from __future__ import annotations

import copy
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import click
import mpmath

from dpverify import InputError, kernel, verify
from dpverify.certificate.complete import Incomplete, complete
from soundness import raw, shards
from soundness.corpus import PROGRAM, Certificate, without_value
from soundness.differential import generator, rising
from soundness.mutate import refreshed, sealed
from soundness.of_proof import needs

PATIENCE, COMPLETED, PROVED_ANEW, BASES = 2, 4, 20, 24
WATCHED, QUICK = 0.05, 0.02
"""Seconds: of the prover, of the completer's bisections, and of the check of a certificate to start from."""
PLAIN = ("laplace", "exp(-2*r)*(1+r)", "1/(1+y)**3", "exp(-sqrt(1+y))", "exp(-floor(r))", "Max(exp(-r),3*exp(-2*r))")


def texts(listed: str) -> list[str]:
    return [text.strip() for text in listed.split(";")]


VALUE = texts(
    """
    (r+{a}); log(1+{a}*r); cos({a}*r); exp(-{a}*r); (1+y); floor(1+r); {u}; erfc(r); besselk({a},1+r)
    """
)
NULL = texts(
    """
    1/(r-{a}); 1/(1/(r-{a})); (r-{a})**0; log((r-{a})**2); 1/log({a}*r); 1/cos({a}*r); 1/({u}-{a});
    1/(Abs(r-{a})); Piecewise((1, r < {a}), (2, r > {a})); ((r-{a})/(r-{a})); 1/(y-{a}*r); log(1-cos(r));
    1/sin({a}*r); 1/(1-exp(r-{a})); 1/(exp(-r)-exp(-{a}*r)/2)
    """
)
SOME = texts(
    """
    log(r-{a}); sqrt({a}-r); 1/Max(0,{a}-r); 1/floor(r/{a}); Max(0,r-{a})**0; besselk(1,{a}-r);
    1/(Abs(r-{a})-r+{a}); 1/(Abs(r-{a})+r-{a}); Piecewise((1, r < {a})); Piecewise((1, r > {a}));
    sqrt(cos({a}*r)); log(sin({a}*r)); (cos({a}*r))**(1/3); (r-{a})**(3/2); 1/(floor(r+{a})-floor(r));
    1/Min(0,r-{a}); log(Min(r,{a})-{a}); 1/log(Max(1,r/{a})); log({a}-{u}); sqrt({u}-{a}); (1-r)**r;
    Piecewise((1, r < {a}), (2, r > {a}+1/8)); Piecewise((1, log(r-{a}) < 0), (1, True)); 1/erfc(log({a}-r));
    Piecewise((1/Max(0,r-{a}), r < {a}+1), (1, True)); asinh(sqrt({a}-r)); tanh(log(r-{a})); {u}/floor(r)
    """
)
EVERYWHERE = texts(
    """
    log(-1); 1/(r-r); gamma(-2); besselk(1,-r); log(cos(r)-2); 1/(Abs(r)-r); sqrt(-1-y); (r-r)**0; log(-{u}**2);
    1/({u}-{u}); 1/(0*{u}); Piecewise((1, r < 0)); log(0*r); 1/(1/(1/(r-r))); sqrt(-{a}); (-1)**(1/2);
    log(1-cosh(r)); 1/(Max(r,{a}*r)-Max({a}*r,r)); (0*{u})**0; log(-{u}-1); 1/(1-exp(r)*exp(-r));
    1/(sin(r)**2+cos(r)**2-1); 1/(2*r-r-r); 1/((1+r)**2-1-2*r-y); 1/(1-r/r)
    """
)
AROUND = texts(
    """
    ({f})+0*{p}; ({f})*({p})**0; ({f})*({p})/({p}); ({f})*(1+exp({p}))/(1+exp({p})); ({f})*(1+0*cos({p}));
    Max({f},0*{p}); ({f})*(2+cos({p}))/(2+cos({p})); ({f})+{p}-{p}; ({f})*1/(1/(1+0*{p})); ({f})*exp(0*{p});
    Piecewise(({f}, r > 0), ({p}, True)); Piecewise(({f}, 0*{p} < 1), (1, True)); ({f})*exp({p})*exp(-{p});
    Piecewise(({f}, r < 50), (({f})+0*{p}, True)); ({f})*(1+({p})**2)**0; ({f})*Max(1,0*{p}); ({f})*2**(0*{p});
    ({f})*(3+tanh({p}))/(3+tanh({p})); 1/(1/({f})+0*{p}); ({f})*floor(1+0*({p})**2); ({f})*exp(-log(1+0*{p}));
    ({f})*(1+({p})**2)/(1+({p})**2); ({f})**(1+0*{p}); ({f})*(1+0*Abs({p})); ({f})*sqrt(1+0*{p});
    ({f})*Min(1,2+exp({p})); Min({f},({f})+exp({p})); ({f})*(1+erfc({p}))/(1+erfc({p}));
    ({f})*asinh(sinh(1+0*{p}))/1; ({f})*e**({p})/exp({p})
    """
)
WRAPPED = texts("1/(1/({0})); exp({0}); ({0})**2; -({0}); Abs({0}); (1+0*{0}); cos({0})")
EXTENTS = {"valued": VALUE, "single radii": NULL, "somewhere": SOME, "everywhere": EVERYWHERE}


def part(rnd: random.Random) -> tuple[str, str]:
    """A part of a text, and how far it is meant to be without a value."""
    extent = rnd.choices(list(EXTENTS), (1, 3, 4, 3))[0]
    a = rnd.choice(("1", "2", "1/2", "7/3", "5", "1/10"))
    text = rnd.choice(EXTENTS[extent]).format(a=a, u=rising(rnd, 1))
    if rnd.random() < 0.25:
        text = rnd.choice(WRAPPED).format(text)
    return text, extent


@cache
def bases() -> tuple[tuple[Certificate, Certificate], ...]:
    """Texts with a proof: the draft of each and its certificate."""
    rnd, found = random.Random("bases"), []
    for text in [*PLAIN, *(generator(rnd) for _ in range(BASES))]:
        result = verify(text, dimension=1, tolerance="1/50", timeout=PATIENCE)
        if result.draft is not None and result.certificate is not None and quick(dict(result.certificate)):
            pair = dict(result.draft), dict(result.certificate)
            found.append(json.loads(json.dumps(pair)))
    return tuple((draft, whole) for draft, whole in found)


def quick(certificate: Certificate) -> bool:
    start = time.process_time()
    kernel.check_bytes(sealed(certificate))
    return time.process_time() - start < QUICK


class Watch:
    """Breaks off the completer's bisections after some processor time."""

    def __init__(self, seconds: float) -> None:
        self.end = time.process_time() + seconds

    def __call__(self) -> None:
        if time.process_time() > self.end:
            raise Incomplete("the time is over")


def answer(data: bytes) -> Any:
    """The claim that the kernel accepts, or None; any other exception than its own passes."""
    try:
        return kernel.check_bytes(data).claim
    except kernel.Rejected:
        return None


def cut(draft: Certificate, rnd: random.Random) -> Certificate:
    """The draft with covers that are cut where parts may have single radii without a value."""
    draft = copy.deepcopy(draft)
    for step in (draft["proof"], draft["proof"].get("supremum") or {}):
        if step.get("cover") and "shifts" not in {k for k, v in step.items() if v}:
            low, high = Fraction(step["cover"][0]), Fraction(step["cover"][-1])
            more = {Fraction(x) for x in ("1", "2", "1/2", "7/3", "5", "1/10") if low < Fraction(x) < high}
            step["cover"] = [str(x) for x in sorted(more | {Fraction(x) for x in step["cover"]})]
    return draft


def completed(draft: Certificate, text: str, rnd: random.Random) -> Iterator[bytes]:
    """The certificate that the completer makes for the text from the proof of another."""
    claim = {**draft["claim"], "generator": text, "closed_form": None}
    if rnd.random() < 0.5:
        claim["tail_log_ratio"] = None
    try:
        yield sealed(complete({**(cut(draft, rnd) if rnd.random() < 0.5 else draft), "claim": claim}, Watch(WATCHED)))
    except Incomplete:
        return


def forced(certificate: Certificate, text: str, rnd: random.Random) -> Iterator[bytes]:
    """The certificate of another text with this one, and every way to say that it has a value."""
    c = copy.deepcopy(certificate)
    c["claim"] |= {"generator": text, "closed_form": None, "tail_log_ratio": None}
    c["proof"].pop("limsup", None)
    count = needs(c["claim"])
    ways: list[list[str | None]] = [[None] * count]
    ways += [[rnd.choice((None, "1", "7/5", "3", "1/3", "50")) for _ in range(count)] for _ in range(2)]
    for way in ways if count else [[]]:
        c["proof"].pop("defined", None)
        if count:
            c["proof"]["defined"] = [{"at": at} for at in way]
        refreshed(c)
        yield sealed(c)


def called_invalid(text: str, gap: Any, rnd: random.Random) -> Iterator[tuple[bytes, tuple[Fraction, Fraction]]]:
    """The claim that the text has no value, on boxes here and there, and about the radius where it has none."""
    boxes = []
    for _ in range(3):
        a = Fraction(rnd.randint(1, 80), rnd.choice((1, 7, 10)))
        boxes.append((a, a + Fraction(1, rnd.choice((1, 8, 1000)))))
    if gap is not None:
        a = Fraction(str(mpmath.nstr(gap, 30, min_fixed=-mpmath.inf, max_fixed=mpmath.inf)))
        boxes.append((a * (1 - Fraction(1, 10**9)), a * (1 + Fraction(1, 10**9))))
    claim = without_value(text)
    for a, b in boxes:
        try:
            step = {"undefined": {"box": [str(a), str(b)]}}
            yield sealed(complete({"program": PROGRAM, "claim": claim, "proof": step})), (a, b)
        except Incomplete:
            continue


def tried(rnd: random.Random, number: int) -> tuple[list[str], list[str]]:
    """One text: what became of it, and what is wrong."""
    draft, whole = rnd.choice(bases())
    planted, meant = part(rnd)
    f = draft["claim"]["generator"]
    text = rnd.choice(AROUND).format(f=f, p=planted)
    names = {**{k: Fraction(v) for k, v in draft["claim"]["parameters"].items()}, "d": Fraction(1)}
    said, wrong = [], []
    gap = raw.missing(text, names)
    truth = "no value on an interval" if gap is not None else "a value almost everywhere"
    said += [f"part meant {meant}: {truth}", truth]

    def judge(way: str, data: bytes) -> None:
        try:
            claim = answer(data)
        except Exception as error:
            wrong.append(f"{way}: {type(error).__name__}: {error}: {text}: {data.decode('latin-1')[:4000]}")
            return
        if claim is None:
            return
        said.append(f"{truth}: accepted {way} as {claim['verdict']}")
        if gap is not None and claim["hypotheses"]["defined"] == "proved":
            wrong.append(f"{way}: {text} has no value about {mpmath.nstr(gap, 10)}: {data.decode('latin-1')[:4000]}")

    ways = {"forced": forced(whole, text, rnd)}
    if number % COMPLETED == 0:
        ways["completed"] = completed(draft, text, rnd)
        said.append("given to the completer")
    for way, datas in ways.items():
        try:
            for data in datas:
                judge(way, data)
        except Exception as error:
            wrong.append(f"{way}: {type(error).__name__}: {error}: {text}")
    if not names.keys() - {"d"}:
        for data, box in called_invalid(text, gap, rnd):
            if answer(data) is None:
                continue
            said.append(f"{truth}: accepted as invalid, having no value")
            if raw.missing(text, names, box) is None:
                wrong.append(f"called invalid on {box}, where it has a value: {text}")
            break
    if number % PROVED_ANEW == 0:
        try:
            parameters = {k: v for k, v in draft["claim"]["parameters"].items() if k in text}
            result = verify(text, dimension=1, tolerance="1/50", timeout=PATIENCE, parameters=parameters)
            said.append(f"{truth}: prover and kernel say {result.verdict}")
            if gap is not None and result.verdict in ("private", "not_private"):
                wrong.append(f"prover and kernel: {text} is {result.verdict}")
            if result.certificate is not None:
                judge("from the prover", sealed(dict(result.certificate)))
        except InputError as error:
            said.append(f"{truth}: the prover does not read it")
            if gap is None and "Piecewise" not in text:
                said.append(f"  {str(error)[:60]}")
    return said, wrong


def shard(seed: int, number: int, count: int) -> dict[str, Any]:
    rnd = random.Random(f"{seed}/{number}")
    said: Counter[str] = Counter()
    wrong: list[str] = []
    for i in range(count):
        new, bad = tried(rnd, i)
        said.update(set(new))
        wrong += bad
    return {"said": said, "wrong": wrong}


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the texts.")
@click.option("--count", default=2000, show_default=True, help="How many texts.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
@click.option("--log", type=click.Path(path_type=Path), default=None, help="Findings, a line a shard; resumes from it.")
def main(seed: int, count: int, jobs: int, log: Path | None) -> None:
    """Plant parts without a value in random texts; none may be accepted but as invalid."""
    bases()
    found = shards.run(shard, seed=seed, count=count, size=50, jobs=jobs, log=log)
    total = sum((Counter(f["said"]) for f in found), Counter[str]())
    for name, n in sorted(total.items()):
        print(f"{n:6d}  {name}")
    wrong = [w for f in found for w in f["wrong"]]
    print(f"{len(wrong)} wrong:", *wrong, sep="\n  ")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
