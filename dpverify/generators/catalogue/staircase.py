"""The staircase mechanism's density, with steps of length 1."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family, ParameterSpec


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """g rises by b at each step, and a shift crosses at most ceil(delta) of them."""
    return ClosedForm(epsilon="b*ceil(delta)", attained_at="a shift across the most steps")


FAMILY = Family(
    name="staircase",
    title="Staircase",
    text="exp(-b*floor(r+1-g))",
    parameters=(
        ParameterSpec("b", Fraction(1), "b > 0", "height of a step, on the scale of epsilon"),
        ParameterSpec("g", Fraction(1, 2), "0 <= g <= 1", "length of the first step"),
    ),
    closed_form=closed_form,
    private_when="always",
    source="Geng and Viswanath (2014), Theorem 1",
    notes="Steps lie at g, g + 1, ...; a shift of length delta crosses at most ceil(delta) of them.",
    keywords=(
        "Geng-Viswanath",
        "optimal noise",
    ),
)
