# Every target sets up what it needs: a virtual environment in .venv with the package in it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint types gallery gallery-check figures docs bench wheel clean \
	soundness soundness-mutated soundness-fuzz soundness-differential soundness-arithmetic soundness-mutants

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev,all]'
	touch $(READY)

# The main job: prove epsilon for Student t, write the certificate, check it with the kernel alone.
demo: $(READY)
	$(BIN)/dpverify verify student_t --param nu=3 --dimension 2 --certificate student_t.json
	$(BIN)/dpverify check student_t.json
	$(PYTHON) dpverify/kernel.py student_t.json

test: $(READY)
	$(BIN)/python -m pytest -n 2

lint: $(READY)
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

gallery: $(READY)
	$(BIN)/python -m dpverify.certificate.gallery certificates

# The gallery, made anew, must be the same bytes; and the kernel alone must accept it.
gallery-check: $(READY)
	rm -rf build/gallery && mkdir -p build/gallery
	$(BIN)/python -m dpverify.certificate.gallery build/gallery
	diff -r certificates build/gallery
	$(PYTHON) dpverify/kernel.py certificates/*.json

figures: $(READY)
	$(BIN)/dpverify figure poster -o docs/figures/poster.png
	$(BIN)/dpverify figure poster -o docs/figures/poster.svg

# The pages' code blocks run, and their figures are made.
docs: $(READY) figures
	$(BIN)/python -m pytest -q tests/docs

bench: $(READY)
	$(BIN)/python benchmarks/bench.py

# The campaign against the kernel, at length; each part resumes from its log in build/ (docs/trust.md has the figures).
soundness: soundness-arithmetic soundness-mutated soundness-fuzz soundness-differential soundness-mutants

soundness-mutated: $(READY)
	$(BIN)/python -m soundness.campaign --seed 1 --count 100000 --log build/campaign.jsonl

soundness-fuzz: $(READY)
	$(BIN)/python -m soundness.fuzz --seed 1 --seconds 600

soundness-differential: $(READY)
	$(BIN)/python -m soundness.differential --seed 1 --count 1000 --log build/differential.jsonl

soundness-arithmetic: $(READY)
	$(BIN)/python -m soundness.arithmetic --seed 1 --count 1000000 --log build/arithmetic.jsonl

soundness-mutants: $(READY)
	$(BIN)/python -m soundness.mutants --seed 1 --count 300 --log build/mutants.jsonl

wheel: $(READY)
	$(BIN)/python -m build --wheel --outdir dist

clean:
	rm -rf $(VENV) build dist student_t.json
