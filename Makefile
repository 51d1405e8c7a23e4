# Every target sets up what it needs: a virtual environment in .venv with the package in it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PEERS := $(VENV)/.peers
ALONE := .venv-demo
# Each worker reads every test: compiled once, whatever the shell has set, that takes half as long.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo quick test sweeps sweeps-of-proofs campaigns campaigns-of-soundness lint types gallery gallery-check gallery-anew gallery-replayed kernel coq axioms exports house figures docs classroom classroom-check site changelog theorems bench bench-corpus bench-audit bench-audit-scale bench-mechanisms bench-sampling audit-coverage \
	soundness soundness-mutated soundness-fuzz soundness-differential soundness-arithmetic soundness-mutants \
	soundness-valueless soundness-decorated soundness-sets \
	wheel clean

# `peers` are what audits are compared with, which the tests of audits and the pages need. What is never imported need
# not be compiled: that is left to whoever imports it first.
$(READY): EXTRAS := dev,all,app
$(PEERS): EXTRAS := dev,all,app,peers
$(READY) $(PEERS): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[$(EXTRAS)]'
	touch $(READY) $@

# The package with what it needs and nothing else.
$(ALONE)/.ready: pyproject.toml
	$(PYTHON) -m venv $(ALONE)
	$(ALONE)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --editable .
	touch $(ALONE)/.ready

# The main job: prove epsilon for Student t, write the certificate, check it with the kernel alone.
demo: $(ALONE)/.ready
	$(ALONE)/bin/dpverify verify student_t --param nu=3 --dimension 2 --certificate student_t.json
	$(ALONE)/bin/dpverify check student_t.json
	$(PYTHON) -I -S dpverify/kernel student_t.json

# Four tiers (tests/README.md): half a minute, minutes, and what the second leaves out. `make docs` runs tests/docs.
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal --ignore tests/docs

quick: $(READY)
	$(PYTEST) -m "not slow and not sweep and not campaign"

test: $(PEERS)
	$(PYTEST) -m "not sweep and not campaign"

# The other cases of tests of which some are in `make test`.
sweeps: $(PEERS)
	$(PYTEST) -m "sweep and not campaign"

# Of these those of prover and kernel.
sweeps-of-proofs: $(PEERS)
	$(PYTEST) -m "sweep and not campaign" $(addprefix tests/,kernel prover profiles composition certificate soundness enclosures)

campaigns: $(PEERS)
	$(PYTEST) -m campaign

# Of these what tries to fool prover and kernel.
campaigns-of-soundness: $(PEERS)
	$(PYTEST) -m campaign tests/soundness tests/prover/test_defined.py

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff check --select E501 --line-length 100 dpverify/kernel

types: $(READY)
	$(BIN)/mypy

gallery: $(READY)
	$(BIN)/python -m dpverify.gallery certificates

# The gallery, made anew, must be the same bytes; and the kernel alone must accept it.
gallery-check: gallery-anew gallery-replayed

gallery-anew: $(READY)
	rm -rf build/gallery && mkdir -p build/gallery
	$(BIN)/python -m dpverify.gallery build/gallery
	diff -r certificates build/gallery

# Each in a process of its own: what one needs, no other one has loaded for it.
gallery-replayed:
	printf '%s\0' certificates/*.json certificates/*/*.json | xargs -0 -n 1 -P 2 $(PYTHON) -I -S dpverify/kernel

# The kernel as one file, the same bytes wherever it is packed; `dpverify check --about` prints its digest.
kernel:
	$(PYTHON) -m dpverify.source build/dpverify-kernel.pyz
	$(PYTHON) -I -S build/dpverify-kernel.pyz certificates/*.json

# Coq accepts the theorems, which rest on what proofs/axioms.txt says and nothing else, and the export of every
# certificate of the gallery (apt-get install coq libcoq-interval libcoq-mathcomp-analysis).
coq: axioms exports

axioms: $(READY)
	$(BIN)/python proofs/axioms.py

exports: $(READY)
	$(BIN)/python -m dpverify.export.coq.gallery certificates/*.json certificates/profiles/gaussian-d1.json

# The picture in CONTRIBUTING.md: the rooms, and who imports whom, as the code has it.
house: $(READY)
	$(BIN)/python -m tools.house tools/house.svg

# The README's picture; the pages' own are made by their code blocks.
figures: $(READY)
	$(BIN)/dpverify figure poster -o docs/figures/poster.png

# The pages' code blocks run and draw their pictures; then the site is built into build/docs.
docs: $(PEERS)
	DPVERIFY_FIGURES=docs/figures $(BIN)/python -m pytest -n 2 --dist worksteal tests/docs
	rm -rf build/docs
	$(BIN)/sphinx-build -q -W --keep-going -n -j 2 -d build/doctrees docs build/docs
	if [ -d build/classroom ]; then cp -r build/classroom build/docs/classroom; fi
	@echo "the site is build/docs/index.html"

# The docs of this version beside those of others that build/site has.
site: docs
	$(BIN)/python -m tools.site

# What comes next, gathered from changelog.d.
changelog: $(READY)
	$(BIN)/python -m tools.changelog

# The page that proves in the browser, for `make docs` to put into the site: needs npm and a network.
classroom: $(READY)
	$(BIN)/dpverify classroom build/classroom --docs ../

# The same page, in headless Chromium with the network cut.
classroom-check: $(READY)
	$(BIN)/python -m pytest -n 0 -rs -m campaign tests/classroom/test_page.py

# Every claim of the papers, on all instances; and the page that tests/theorems compares with a quick run.
theorems: $(READY)
	$(BIN)/dpverify theorems --markdown docs/reference/theorems.md

bench: $(READY)
	$(BIN)/python benchmarks/bench.py

# Every generator of the corpus beside SymPy's tail limit and a plain search.
bench-corpus: $(READY)
	$(BIN)/python benchmarks/corpus.py

# The Gibbs sampler and releases on 10,000 records, beside their goals.
bench-mechanisms: $(READY)
	$(BIN)/python benchmarks/mechanisms.py

# The exact sampler beside OpenDP's, on one core.
bench-sampling: $(PEERS)
	$(BIN)/python benchmarks/sampling.py

# Audits beside their peers.
bench-audit: $(PEERS)
	$(BIN)/python benchmarks/audit.py

# Long audits by two processes beside one, and their memory.
bench-audit-scale: $(READY)
	$(BIN)/python -m benchmarks.audit_scale

# 2,000 whole audits of each mechanism, where the suite has 150; then 1,000 of each of fifteen laws, and 1,000 that may stop
# at any time: these resume from build/audit-coverage.jsonl.
audit-coverage: $(PEERS)
	DPVERIFY_FULL_CAMPAIGN=1 $(BIN)/python -m pytest -n 2 tests/audit/test_coverage.py
	$(BIN)/python -m benchmarks.audit_coverage
	$(BIN)/python -m benchmarks.audit_coverage --until

# The campaign against the kernel, at length; each part resumes from its log in build/ (docs/explanation/trust.md has the figures).
soundness: soundness-arithmetic soundness-mutated soundness-valueless soundness-decorated soundness-fuzz soundness-differential soundness-sets soundness-mutants

soundness-mutated: $(READY)
	$(BIN)/python -m soundness.campaign --seed 1 --count 100000 --log build/campaign.jsonl

soundness-valueless: $(READY)
	$(BIN)/python -m soundness.valueless --seed 1 --count 2000 --log build/valueless.jsonl

soundness-decorated: $(READY)
	$(BIN)/python -m soundness.decorated --seed 1 --count 1000 --log build/decorated.jsonl

soundness-fuzz: $(READY)
	$(BIN)/python -m soundness.fuzz --seed 1 --seconds 600

soundness-differential: $(READY)
	$(BIN)/python -m soundness.differential --seed 1 --count 1000 --log build/differential.jsonl

soundness-sets: $(READY)
	$(BIN)/python -m soundness.sets --seed 1 --count 2000 --log build/sets.jsonl

soundness-arithmetic: $(READY)
	$(BIN)/python -m soundness.arithmetic --seed 1 --count 1000000 --log build/arithmetic.jsonl

soundness-mutants: $(READY)
	$(BIN)/python -m soundness.mutants --log build/mutants.jsonl

wheel: $(READY)
	$(BIN)/python -m build --wheel --outdir dist

clean:
	rm -rf $(VENV) $(ALONE) build dist student_t.json
