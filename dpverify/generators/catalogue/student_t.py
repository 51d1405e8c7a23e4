"""Student t: the loss has one stationary maximum."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family, ParameterSpec


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """epsilon and where the loss is largest (see `Family`); None where it is not private or not known."""
    return ClosedForm(
        epsilon="(nu+d)*asinh(delta/(2*sqrt(nu)))",
        attained_at="c = (delta + sqrt(delta**2 + 4*nu))/2",
    )


FAMILY = Family(
    name="student_t",
    title="Multivariate Student t",
    text="(1+y/nu)**(-(nu+d)/2)",
    parameters=(ParameterSpec("nu", Fraction(5), "nu > 0", "degrees of freedom"),),
    closed_form=closed_form,
    private_when="always: any nu > 0, in every dimension",
    source="Reimherr and Awan (2019), Example 6, for nu > 1; the same computation holds for every nu > 0",
    notes="g(r) = (nu+d)/2 log(1 + r^2/nu); g'(c) = g'(c - delta) gives c (c - delta) = nu, so that the ratio "
    "(1 + c^2/nu)/(1 + (c - delta)^2/nu) is c^2/nu.",
    mass="gamma(nu/2)*(nu*pi)**(d/2)/gamma((nu+d)/2)",
    mixing="v**(-nu-1)*exp(-nu/(2*v**2))",
    keywords=("multivariate t",),
)
