"""Sections 2.3.1 and 2.3.2: lower bounds on the risk of a private count."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from dpverify.enclosures.ball import Undecided
from dpverify.findings import Gap
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.hall_2012.discrete.counting_programmes import least_somewhere, minimax
from dpverify.theorems.tools.balls import at_most, ball, show

RISK_QUOTED = Quotation(r"\sup_D R(\theta, P, D) \geq \frac{e^{-2}}{\alpha} \approx \frac{0.135}{\alpha}.")
MARKOV_QUOTED = Quotation(r"P_i([i - \tau/2, i + \tau/2 - 1]) \geq 1 - \frac{e^{-2}}{\alpha\tau},")
UNIFORM_QUOTED = Quotation(
    r"\geq \frac{c}{2\alpha} e^{-2c-\alpha}.",
    note="the hypothesis is a risk of at most c/alpha 'for some constant c and for all n'; the text before says 'for "
    "large enough n'",
)


def check_counting_bound(formula: Any, effort: Effort) -> str:
    """formula = (constant in e^-2/alpha, least n): exact minimax risks, and two counts at distance k for all n."""
    constant, least = formula
    count = 0
    for ratio in map(Fraction, ("11/10", "5/4", "137/100", "349/250", "3/2", "2", "4", "7")):
        alpha = ball(ratio).log()
        for n in range(1, effort.pick(3, 5)):
            if not n >= least(alpha):
                continue
            risk, claimed = minimax(n, ratio).value, ball(constant) * arb(-2).exp() / alpha
            count += 1
            at_most(
                claimed,
                ball(risk),
                f"n = {n}, e^alpha = {ratio}: the best method has risk {risk} = {show(risk)}, the bound is "
                f"{show(claimed)}.",
            )
    steps = 4000
    for i in range(steps):
        u = ball(Fraction(1, 3) + Fraction(2 * i + 1, 2 * steps) * 2) + arb(0, ball(Fraction(1, steps)))
        if not u / (1 + u.exp()) > ball(constant) * arb(-2).exp():
            raise Undecided(Gap.PAIR_SHORT(u=show(u)))
    return f"{count} exact minimax risks; u/(1 + e^u) > e^-2 on all of [1/3, 7/3], in {steps} balls"


def check_markov(factor: Any, effort: Effort) -> str:
    """P(|z - i| >= tau/2) <= factor R/tau, for laws that leave i for i + tau/2 with probability w."""
    count = 0
    for tau in (2, 4, 10):
        for w in (Fraction(1, 10), Fraction(1, 2), Fraction(1)):
            risk = w * Fraction(tau, 2)
            count += 1
            if w > factor * risk / tau:
                raise Refuted(
                    f"tau = {tau}, z = i + {tau // 2} with probability {w}, else i: the risk is R = {risk} and the "
                    f"interval is missed with probability {w}, not at most {factor * risk / tau}."
                )
            if w < factor * risk / tau:
                raise Refuted(f"tau = {tau}: factor {factor} is more than Markov's inequality needs here.")
    # the last line of the proof, with tau = 2/alpha: (2 e^-2/alpha)(1 - factor e^-2/2), which must exceed e^-2/alpha
    last = 2 * (1 - factor * arb(-2).exp() / 2)
    if not last > 1:
        raise Refuted("the contradiction is lost.")
    return f"{count} laws, exact; the proof then ends at {show(last)} e^-2/alpha, above the claimed e^-2/alpha"


def check_uniform_bound(formula: Any, effort: Effort) -> str:
    """formula = (multiple of the bound, least(c, alpha)): constant answers, programmes, the bound from distance k."""
    multiple, least = formula
    for c in (Fraction(1, 2), Fraction(1), Fraction(3), Fraction(10)):
        for alpha in (Fraction(1), Fraction(1, 4), Fraction(2)):
            claimed = ball(multiple * c / alpha / 2) * ball(-2 * c - alpha).exp()
            for n in range(1, effort.pick(100, 200)):
                if n >= least(c, alpha) and Fraction((n + 1) // 2) <= c / alpha:
                    raise Refuted(
                        f"n = {n}, c = {c}, alpha = {alpha}: the method that always says {n // 2} has risk at most "
                        f"{(n + 1) // 2} <= c/alpha everywhere and risk 0 at {n // 2}, below {show(claimed)}."
                    )
    smallest = []
    for ratio, c in ((Fraction(4), Fraction(1)), (Fraction(8), Fraction(1)))[: effort.pick(1, 2)]:
        exact_alpha = ball(ratio).log()
        n = int(float((2 * ((ball(c) + 1) / exact_alpha).ceil()).mid()))
        cap = Fraction(int(float((1000 * ball(c) / exact_alpha).floor().mid())), 1000)  # a cap below c/alpha
        value = least_somewhere(n, ratio, cap, n // 2).value
        claimed = ball(multiple * c / 2) / exact_alpha * (-2 * ball(c) - exact_alpha).exp()
        smallest.append(ball(value) / claimed)
        at_most(claimed, ball(value), f"n = {n}, e^alpha = {ratio}, c = {c}: a method has risk {value} at {n // 2}.")
    for c in map(Fraction, ("1/2", "1", "3", "10")):
        for alpha in map(Fraction, ("1", "1/4", "2")):
            k = -(-(c + 1) // alpha)
            if (
                not ball(-k * alpha).exp() * ball(k - c / alpha)
                >= ball(multiple * c / alpha / 2) * ball(-2 * c - alpha).exp()
            ):
                raise Undecided(Gap.DISTANCE_SHORT(c=c, alpha=alpha, k=k))
    return (
        f"{len(smallest)} programmes, exact, whose smallest risks are {', '.join(map(show, smallest))} times the "
        "bound; "
        "12 bounds from distance ceil((c + 1)/alpha) (balls)"
    )


def enough(c: Fraction, alpha: Fraction) -> Fraction:
    """A sample size from which the bound applies."""
    return Fraction(2 * -(-(c + 1) // alpha))


NO_COST = "None: it is a lower bound on the error."
CLAIMS = (
    Claim(
        id="hall-2012:proposition-2.3.1",
        place="Proposition 2.3.1",
        quotation=RISK_QUOTED,
        statement="Any private counting method has risk at least e^-2/alpha somewhere.",
        printed="sup_D R >= e^-2/alpha = 0.135/alpha for alpha < 2, whatever n is",
        hypotheses="alpha < 2",
        check=check_counting_bound,
        formula=(1, lambda alpha: 1),
        near=(
            Near((1, lambda alpha: arb("0.31") / alpha), "for n >= 0.31/alpha"),
            Near((Fraction(103, 100), lambda alpha: 1 / (3 * alpha)), "the constant 3 % larger"),
            Near((2, lambda alpha: 1 / (3 * alpha)), "twice the constant"),
            Near(
                (Fraction(101, 100), lambda alpha: 1 / (3 * alpha)),
                "the constant 1 % larger",
                "the bound holds with up to 1.02 e^-2",
            ),
        ),
        strength="proved",
        argument="bounds.txt",
        correction=Correction(
            "for alpha < 2 and n >= 1/(3 alpha)",
            (1, lambda alpha: 1 / (3 * alpha)),
            NO_COST,
            "Do not use the bound for n below 1/(3 alpha), where it exceeds the error of doing nothing.",
            "proved",
            "slip",
        ),
    ),
    Claim(
        id="hall-2012:section-2.3.1-markov",
        place="Section 2.3.1, proof of Proposition 2.3.1",
        quotation=MARKOV_QUOTED,
        statement="Markov's inequality for the distance tau/2, in the proof; the proof of Proposition 2.3.2 "
        "repeats it.",
        printed="P_i(|z - i| < tau/2) >= 1 - R/tau, R = e^-2/alpha",
        hypotheses="risk at most R",
        check=check_markov,
        formula=1,
        near=(Near(Fraction(99, 50), "1.98 R/tau"), Near(Fraction(101, 50), "2.02 R/tau"), Near(4, "4 R/tau")),
        strength="verified",
        correction=Correction(
            "1 - 2 R/tau. Proposition 2.3.1 is unharmed: its last line has slack. In Proposition 2.3.2 the "
            "printed choice "
            "of tau then gives nothing, but its bound follows otherwise",
            2,
            NO_COST,
            "Nothing.",
            "verified",
            "slip",
        ),
    ),
    Claim(
        id="hall-2012:proposition-2.3.2",
        place="Proposition 2.3.2",
        quotation=UNIFORM_QUOTED,
        statement="A method with risk at most c/alpha everywhere has no much smaller risk anywhere.",
        printed="inf_D >= (c/(2 alpha)) e^(-2c - alpha)",
        hypotheses="sup_D at most c/alpha for all n (the text around it says: for large enough n)",
        check=check_uniform_bound,
        formula=(1, lambda c, alpha: 1),
        near=(
            Near((1, lambda c, alpha: c / alpha), "for n >= c/alpha"),
            Near((1, lambda c, alpha: 2 * c / alpha), "for n >= 2c/alpha"),
            Near((40, enough), "forty times the bound"),
            Near((Fraction(101, 100), enough), "the bound 1 % larger", "the bound is not sharp: twice of it holds"),
        ),
        strength="verified",
        argument="bounds.txt",
        correction=Correction(
            "the same bound for n >= 2 ceil((c + 1)/alpha); there even e^(-c - 1 - alpha)/alpha holds",
            (1, enough),
            NO_COST,
            "Read it for large n, as the text before it does: for small n a constant answer has risk 0 at one input.",
            "verified",
            "ambiguous",
        ),
    ),
)
