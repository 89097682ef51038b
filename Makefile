# The commands of this project; README.md says what each is for.

SWIFT_SOURCES := Package.swift Sources Tests
PYTHON := .venv/bin/python

.PHONY: run build test lint format unit release-unit browser main-paths browsers faults fuzz growth cluster \
  bench load soak screenshots engines land plates install venv

run: install
	swift build -c release --product PictureShrinker
	swift build -c release --product Server
	exec "$$(swift build -c release --show-bin-path)/Server" $(ARGS)

build: install
	swift build

# Everything that CI checks; the first failure ends it.
test: lint unit release-unit browser main-paths

lint:
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)

format:
	swift format --in-place --parallel --recursive $(SWIFT_SOURCES)

unit: install
	scripts/install unit
	scripts/swift-test

# Selectors without dependencies once went stale only under -O (Sources/ImmutableUI/Selectors/Memo.swift).
release-unit: install
	scripts/install unit
	scripts/swift-test -c release --scratch-path .build-release -Xswiftc -enable-testing \
	  --filter 'ImmutableDataTests|ImmutableUITests|ImmutableRuntimeTests'

# Files side by side, as many as there are cores, but four at most. These run in chromium.
BROWSER_TESTS := $(PYTHON) -m pytest -n auto --maxprocesses 4 --dist loadfile Tests/BrowserTests
OTHER_ENGINES := firefox webkit
browser: build venv
	$(BROWSER_TESTS)

# The main paths of the products in the other engines; then whatever needs a browser, in all of them.
main-paths: build venv
	for engine in $(OTHER_ENGINES); do $(BROWSER_TESTS) --engine $$engine -m main_path || exit; done

browsers: browser
	for engine in $(OTHER_ENGINES); do $(BROWSER_TESTS) --engine $$engine || exit; done

# Many rounds of each fault; what goes wrong says the SEED that does it again. `make test` has a round,
# and ten of the last.
faults: build venv
	ROUNDS=$(or $(ROUNDS),20) SEED=$(SEED) $(PYTHON) -m pytest -s Tests/BrowserTests/test_faults_*.py
	KILL_ROUNDS=$(or $(ROUNDS),50) SEED=$(SEED) $(PYTHON) -m pytest -s Tests/BrowserTests/test_animals_kill.py
	$(PYTHON) -m pytest -s Tests/BrowserTests/test_hostile_http.py

# A million inputs for each reader, or ITERATIONS. `make test` has some thousands.
fuzz: export ITERATIONS := $(or $(ITERATIONS),1000000)
fuzz: install venv
	swift test -c release --scratch-path .build-release -Xswiftc -enable-testing --filter '^FuzzTests'
	$(PYTHON) -m pytest -s Tests/BrowserTests/test_fuzz_patches.py

# Each kind of request for a minute, or GROWTH_SECONDS: what a server takes for it comes back. What goes
# wrong says the SEED that does it again. `make test` has a second of each.
growth: build venv
	GROWTH_SECONDS=$(or $(GROWTH_SECONDS),60) SEED=$(SEED) $(PYTHON) -m pytest -s \
	  Tests/BrowserTests/test_growth.py

# Several servers and their database: rounds of each fault, and what a post costs there.
cluster: build venv
	ROUNDS=$(or $(ROUNDS),5) SEED=$(SEED) $(PYTHON) -m pytest -s Tests/BrowserTests/test_cluster.py \
	  Tests/BrowserTests/test_faults_cluster.py
	Benchmarks/run --only cluster --print

bench: install venv
	Benchmarks/run
	$(PYTHON) Benchmarks/patch.py

# What up to 10,000 windows cost; what thousands leave behind that come and go for ten minutes. For as
# long as SECONDS says it only prints that. What goes wrong says the SEED that does it again.
load: install
	Benchmarks/load

soak: install
	Benchmarks/soak.py $(if $(SECONDS),--seconds $(SECONDS) --print) $(if $(SEED),--seed $(SEED))

# The pictures in docs/, from the running server.
screenshots: build venv
	$(PYTHON) scripts/screenshots.py

# Pictures of each page in each engine, to look at side by side.
engines: build venv
	$(PYTHON) scripts/engines.py

# The world in Public/QuakesUI/, from Natural Earth's data; needs the network and Debian's packages.
land:
	python3 -m venv .venv-land
	.venv-land/bin/pip install --quiet "rdata==1.1.0" "shapely==2.2.0"
	.venv-land/bin/python scripts/land.py

# The boundaries of plates in Public/QuakesUI/; needs the network and PyPI.
plates:
	python3 -m venv .venv-land
	.venv-land/bin/pip install --quiet "shapely==2.2.0"
	.venv-land/bin/python scripts/plates.py

install:
	scripts/install build

venv: .venv/installed
.venv/installed: Tests/BrowserTests/requirements.txt scripts/install
	scripts/install browser
	touch $@
