# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""The explorer's page, a marimo notebook: every cell runs again when what it reads has changed."""

import marimo

app = marimo.App(width="medium", app_title="dpverify explorer", css_file="explorer.css")


@app.cell
def _():
    import marimo as mo

    from dpverify.app import views
    from dpverify.app.examples import EXAMPLES, REACHES, by_name
    from dpverify.app.proving import prove
    from dpverify.errors import InputError
    from dpverify.generators import Generator
    from dpverify.generators.catalogue import families

    return EXAMPLES, Generator, InputError, REACHES, by_name, families, mo, prove, views


@app.cell
def _(mo):
    mo.md("""
    # dpverify explorer

    Noise with density proportional to f(x′ S⁻¹ x): is it ε-differentially private, and for which ε?
    """)
    return


@app.cell
def _(EXAMPLES, by_name, families, mo):
    _wanted = by_name().get(str(mo.query_params().get("example") or ""))
    _options = {e.title: ("example", e.name) for e in EXAMPLES}
    _options |= {f"Family: {f.title}": ("family", name) for name, f in families().items()}
    choice = mo.ui.dropdown(
        _options, value=(_wanted or EXAMPLES[1]).title, label="Example or family", allow_select_none=False, full_width=True
    )
    choice
    return (choice,)


@app.cell
def _(by_name, choice, families, mo):
    _kind, _name = choice.value
    if _kind == "example":
        start = by_name()[_name]
        chosen = {"text": start.generator, "d": start.dimension, "parameters": start.parameters, "reach": start.reach}
        _about = start.text
    else:
        _family = families()[_name]
        _defaults = {p.name: str(1 if p.default is None else p.default) for p in _family.parameters}
        chosen = {"text": _family.text, "d": 2, "parameters": _defaults, "reach": 20}
        _about = f"Private {_family.private_when}. {_family.notes}"
    mo.md(_about)
    return (chosen,)


@app.cell
def _(chosen, mo):
    text = mo.ui.text(
        value=chosen["text"], label="Generator f, in y = x′ S⁻¹ x or r = √y", max_length=4000, debounce=600, full_width=True
    )
    text
    return (text,)


@app.cell
def _(mo, text, views):
    names, trouble = views.names_of(text.value)
    mo.Html(views.message(trouble) + ("" if trouble else views.formula(text.value)))
    return names, trouble


@app.cell
def _(REACHES, chosen, mo):
    sensitivity = mo.ui.slider(0.05, 10, 0.05, value=1, label="Sensitivity Δ", debounce=True, include_input=True, full_width=True)
    scale = mo.ui.slider(0.05, 10, 0.05, value=1, label="Scale σ", debounce=True, include_input=True, full_width=True)
    dimension = mo.ui.slider(1, 30, 1, value=chosen["d"], label="Dimension d", debounce=True, include_input=True, full_width=True)
    reach = mo.ui.slider(steps=REACHES, value=chosen["reach"], label="Draw up to", debounce=True, show_value=True, full_width=True)
    return dimension, reach, scale, sensitivity


@app.cell
def _(chosen, mo, names):
    def _slider(name):
        value = float(chosen["parameters"].get(name, 1))
        high = max(10.0, 4 * abs(value))
        low = 0.05 if value > 0 else -high
        return mo.ui.slider(low, high, 0.05, value=value, label=name, debounce=True, include_input=True, full_width=True)

    bound = mo.ui.dictionary({name: _slider(name) for name in names[:8]})
    return (bound,)


@app.cell
def _(bound, dimension, mo, reach, scale, sensitivity):
    mo.vstack([sensitivity, scale, dimension, *bound.elements.values(), reach])
    return


@app.cell
def _(Generator, InputError, bound, dimension, scale, sensitivity, text, trouble, views):
    question, problem = None, trouble
    if not trouble:
        try:
            _values = {name: views.exact(value) for name, value in bound.value.items()}
            question = views.Question(
                Generator(text.value, int(dimension.value), **_values),
                views.exact(sensitivity.value),
                views.exact(scale.value),
            )
        except InputError as error:
            problem = str(error)
    return problem, question


@app.cell
def _(mo, problem, prove, question, reach, trouble, views):
    answer = None
    if question is None:
        mo.output.replace(mo.Html("" if trouble else views.message(problem)))
    else:
        mo.output.replace(mo.Html(views.verdict(None) + views.plots(question, reach.value, None)))
        answer = prove(question.to_json(), 20)
        mo.output.replace(mo.Html(views.verdict(answer) + views.plots(question, reach.value, answer)))
    return (answer,)


@app.cell
def _(answer, mo, views):
    mo.stop(answer is None or answer.certificate is None)
    from dpverify.review.document import html
    from dpverify.review.page import page_of

    _examined = views.examination(answer)
    mo.hstack(
        [
            mo.download(answer.certificate, filename=views.FILE, mimetype="application/json", label="Download the certificate"),
            mo.download(lambda: html(page_of(_examined)).encode(), filename="report.html", mimetype="text/html", label="Download the report"),
        ],
        justify="start",
        wrap=True,
    )
    return


if __name__ == "__main__":
    app.run()
