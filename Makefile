# Each target sets up all it needs on a fresh machine with Python 3.11+, apt and git.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test check lock clean

demo: $(STAMP) bubblewrap  ## compile real documentation against a real server and show the result
	$(BIN)/python examples/library/demo.py

test: $(STAMP) bubblewrap  ## run the tests
	$(BIN)/python -m pytest

check: $(STAMP) bubblewrap  ## all that CI runs beside the tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/python -m tests.layers

$(STAMP): pyproject.toml requirements.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	touch $@

# The sandbox needs bubblewrap; without the right to install it, the tools say so and go on weaker.
.PHONY: bubblewrap
bubblewrap:
	@command -v bwrap >/dev/null || sh scripts/install-bubblewrap

lock: $(STAMP)  ## write requirements.lock anew from pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --group dev pyproject.toml -o requirements.lock

clean:
	rm -rf build dist $(VENV) .pytest_cache .ruff_cache
