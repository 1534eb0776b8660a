# Each target sets up all it needs on a machine with Python 3.11 or newer, apt and git.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test browser check lock clean

demo: $(STAMP)  ## compile documentation against a real server and show the result
	$(BIN)/python examples/library/demo.py

test: $(STAMP) browser  ## run the tests
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile

browser:
	scripts/browser

check: $(STAMP)  ## what CI runs beside the tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/python -m tests.layers

$(STAMP): pyproject.toml requirements.lock scripts/setup
	scripts/setup $(PYTHON) $(VENV)
	touch $@

lock: $(STAMP)  ## write requirements.lock anew from pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-emit-index-url \
	  --generate-hashes --group dev pyproject.toml -o requirements.lock

clean:  ## remove all that the other targets made
	rm -rf build dist $(VENV) .pytest_cache .ruff_cache
