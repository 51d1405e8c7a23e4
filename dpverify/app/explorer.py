# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""The explorer's page, a marimo notebook: every cell runs again when what it reads has changed."""

import marimo

app = marimo.App(width="medium", app_title="dpverify explorer", css_file="explorer.css")


@app.cell
def _():
    from fractions import Fraction

    import marimo as mo

    from dpverify.app import views
    from dpverify.app.examples import EXAMPLES, REACHES, by_name
    from dpverify.app.proving import prove
    from dpverify.errors import InputError
    from dpverify.generators import Generator
    from dpverify.generators.catalogue import families

    return EXAMPLES, Fraction, Generator, InputError, REACHES, by_name, families, mo, prove, views


@app.cell
def _(mo, views):
    _words = mo.md("""
    # dpverify explorer

    Noise with density proportional to f(x′ Σ⁻¹ x): is it ε-differentially private, and for which ε?
    """)
    mo.Html(f"{views.style()}{_words.text}")
    return


@app.cell
def _(EXAMPLES, by_name, families, mo):
    carried = {str(name): str(value) for name, value in mo.query_params().to_dict().items()}
    _wanted = by_name().get(carried.get("example", ""))
    _options = {"From the link": ("link", "")} if "f" in carried else {}
    _options |= {e.title: ("example", e.name) for e in EXAMPLES}
    _options |= {f"Family: {f.title}": ("family", name) for name, f in families().items()}
    choice = mo.ui.dropdown(
        _options,
        value="From the link" if "f" in carried else (_wanted or EXAMPLES[1]).title,
        label="Example or family",
        allow_select_none=False,
        full_width=True,
    )
    choice
    return carried, choice


@app.cell
def _(by_name, carried, choice, families):
    _kind, _name = choice.value
    if _kind == "link":
        _named = {name[2:]: value for name, value in carried.items() if name.startswith("p.")}
        _d = int(carried["d"]) if carried.get("d", "").isdecimal() and len(carried["d"]) < 7 else 1
        chosen = {"text": carried["f"], "d": _d, "parameters": {}, "typed": _named, "reach": 20}
        chosen |= {"Δ": carried.get("Delta", ""), "σ": carried.get("sigma", "")}
        _about = ""
    elif _kind == "example":
        start = by_name()[_name]
        chosen = {"text": start.generator, "d": start.dimension, "parameters": start.parameters, "reach": start.reach}
        _about = start.text
    else:
        _family = families()[_name]
        _defaults = {p.name: str(1 if p.default is None else p.default) for p in _family.parameters}
        chosen = {"text": _family.text, "d": 2, "parameters": _defaults, "reach": 20}
        _about = f"Private {_family.private_when}. {_family.notes}"
    chosen["about"] = _about
    return (chosen,)


@app.cell
def _(chosen, mo):
    text = mo.ui.text(
        value=chosen["text"], label="Generator f, in y = x′ Σ⁻¹ x or r = √y", debounce=600, full_width=True
    )
    text
    return (text,)


@app.cell
def _(chosen, mo, text):
    mo.md(chosen["about"] if text.value.strip() == chosen["text"] else "")
    return


@app.cell
def _(mo, text, views):
    names, trouble = views.names_of(text.value)
    mo.Html(views.message(trouble) + ("" if trouble else views.formula(text.value)))
    return names, trouble


@app.cell
def _(REACHES, chosen, mo):
    def slider(label, *ends, value):
        return mo.ui.slider(*ends, value=value, label=label, debounce=True, show_value=True, full_width=True)

    def box(label, value=""):
        return mo.ui.text(value, label=label, placeholder="such as 1/3", debounce=600, full_width=True)

    sensitivity = slider("Sensitivity Δ", 0.05, 10, 0.05, value=1)
    scale = slider("Scale σ", 0.05, 10, 0.05, value=1)
    dimension = slider("Dimension d", 1, max(30, chosen["d"]), 1, value=max(1, chosen["d"]))

    def among(label, values, value):  # a slider over unequal steps would be read aloud as the step's number
        options = {str(each): each for each in values}
        return mo.ui.dropdown(options, value=str(value), label=label, allow_select_none=False, full_width=True)

    reach = among("Draw up to r =", REACHES, chosen["reach"])
    patience = among("Seconds for a proof", (5, 20, 60, 300), 20)
    exactly = mo.ui.dictionary({name: box(f"{name} exactly", chosen.get(name, "")) for name in "Δσ"})
    return box, dimension, exactly, patience, reach, scale, sensitivity, slider


@app.cell
def _(chosen):
    moved = dict(chosen["parameters"])  # where each parameter's slider was left, until another example is picked
    return (moved,)


@app.cell
def _(box, chosen, mo, moved, names, slider):
    def _slider(name):
        value = float(moved.get(name, 1))
        high = max(10.0, 4 * abs(value))
        return slider(f"Parameter {name}", 0.05 if value > 0 else -high, high, 0.05, value=value)

    bound = mo.ui.dictionary({name: _slider(name) for name in names}, on_change=moved.update)
    typed = mo.ui.dictionary({name: box(f"{name} exactly", chosen.get("typed", {}).get(name, "")) for name in names})
    return bound, typed


@app.cell
def _(bound, dimension, exactly, mo, patience, reach, scale, sensitivity, typed):
    _exact = [*exactly.elements.values(), *typed.elements.values()]
    _all = [sensitivity, scale, dimension, *bound.elements.values(), *_exact, reach, patience]
    mo.Html(f"<div class='dpv-sliders'>{''.join(f'<div>{element}</div>' for element in _all)}</div>")
    return


@app.cell
def _(Generator, InputError, bound, dimension, exactly, scale, sensitivity, text, trouble, typed, views):
    question, problem = None, trouble
    if not trouble:
        try:
            _values = {n: views.chosen(value, typed.value[n], f"parameter {n}") for n, value in bound.value.items()}
            question = views.Question(
                Generator(text.value, int(dimension.value), _values),
                views.positive(sensitivity.value, exactly.value["Δ"], "the sensitivity"),
                views.positive(scale.value, exactly.value["σ"], "the scale"),
            )
        except InputError as error:
            problem = str(error)
    return problem, question


@app.cell
def _(mo, views):
    def downloads(question, answer):
        name = question.file
        return mo.hstack(
            [
                mo.download(answer.file, filename=name, mimetype="application/json", label="Download the certificate"),
                mo.download(
                    lambda: views.report(answer, name),
                    filename=name.replace("certificate", "report").replace(".json", ".html"),
                    mimetype="text/html",
                    label="Download the report",
                ),
            ],
            justify="start",
            wrap=True,
        )

    return (downloads,)


@app.cell
def _(Fraction, downloads, mo, patience, problem, prove, question, reach, trouble, views):
    if question is None:
        mo.output.replace(mo.Html("" if trouble else views.message(problem)))
    else:
        mo.output.replace(mo.Html(views.waiting(question, reach.value)))

        def _answered():
            thread = mo.current_thread()  # is told to exit when the question has changed
            answer = prove(question.to_json(), Fraction(patience.value), lambda: not thread.should_exit)
            if not thread.should_exit:
                told = mo.Html(views.answered(question, reach.value, answer))
                if answer.certificate is not None:
                    # below the verdict and in its cell, so that neither button outlives the question that it answers
                    told = mo.vstack([told, downloads(question, answer)])
                mo.output.replace(told)

        mo.Thread(target=_answered).start()
    return


if __name__ == "__main__":
    app.run()
