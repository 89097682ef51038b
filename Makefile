# The commands of this project. README.md describes each of them.

SWIFT_SOURCES := Package.swift Sources Tests
PYTHON := .venv/bin/python

.PHONY: run build test lint format unit release-unit browser main-paths browsers busy walks faults fuzz growth \
  cluster mutations bench load soak screenshots engines land plates install venv

run: install
	swift build -c release --product PictureShrinker
	swift build -c release --product Server
	exec "$$(swift build -c release --show-bin-path)/Server" $(ARGS)

build: install
	swift build

# Runs everything that CI checks. Stops at the first failure.
test: lint unit browser main-paths

lint:
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)

format:
	swift format --in-place --parallel --recursive $(SWIFT_SOURCES)

unit: install
	scripts/install unit
	scripts/swift-test

# Selectors without dependencies once went stale only under -O (Sources/ImmutableUI/Selectors/Memo.swift). Debug builds of
# these modules use it too, but optimize each file by itself. Here it is the whole module, and the tests, as in a release.
# It has a scratch path of its own. If it shared one with `make fuzz`, which builds all tests, each would
# rebuild what the other has built.
release-unit: export ONLY_TESTS := ImmutableDataTests ImmutableUITests ImmutableRuntimeTests
release-unit: install
	scripts/swift-test -c release --scratch-path .build-release-unit -Xswiftc -enable-testing \
	  --test-product ImmutableDataWebPackageTests

# These run in Chromium, without the further cases that browsers runs (`thorough` in Tests/BrowserTests/pytest.ini).
BROWSER_TESTS := scripts/browser-tests $(PYTHON)
OTHER_ENGINES := firefox webkit
browser: build venv
	$(BROWSER_TESTS) -m "not thorough"

# main-paths runs the main paths of the products in the other engines. A test that has a case with JavaScript and one
# without runs only the first: without JavaScript, engines hardly differ. browsers runs all tests in all engines.
main-paths: build venv
	for engine in $(OTHER_ENGINES); do $(BROWSER_TESTS) --engine $$engine -m main_path -k "not plain" || exit; done

browsers: build venv
	for engine in chromium $(OTHER_ENGINES); do $(BROWSER_TESTS) --engine $$engine || exit; done

# RUNS runs of the browser tests, or of TESTS, beside four browsers and two busy loops. Nothing that fails is run again.
busy: build venv
	$(PYTHON) scripts/busy.py --runs $(or $(RUNS),5) $(TESTS)

# A thousand random walks through the list and the map of Quakes, and as many hasty ones, or ROUNDS. A failure prints
# the SEED that reproduces it. `make test` takes one walk of each.
walks: build venv
	ROUNDS=$(or $(ROUNDS),1000) SEED=$(SEED) $(PYTHON) -m pytest -s Tests/BrowserTests/test_quakes.py \
	  -k test_list_and_map_agree_after_every_step

# Many rounds of each fault. A failure prints the SEED that reproduces it. `make test` runs one round of one of
# each kind, and ten of kill -9.
faults: build venv
	ROUNDS=$(or $(ROUNDS),20) SEED=$(SEED) $(PYTHON) -m pytest -s -rs Tests/BrowserTests/test_faults_*.py
	KILL_ROUNDS=$(or $(ROUNDS),50) SEED=$(SEED) $(PYTHON) -m pytest -s Tests/BrowserTests/test_animals_kill.py
	$(PYTHON) -m pytest -s Tests/BrowserTests/test_hostile_http.py

# A million inputs for each parser, or ITERATIONS. `make test` runs some thousands.
fuzz: export ITERATIONS := $(or $(ITERATIONS),1000000)
fuzz: install venv
	swift test -c release --scratch-path .build-release -Xswiftc -enable-testing --filter '^FuzzTests'
	$(PYTHON) -m pytest -s Tests/BrowserTests/test_fuzz_patches.py

# Sends each kind of request for a minute, or GROWTH_SECONDS, and checks that the server's memory and files
# return to where they were. A failure prints the SEED that reproduces it. `make test` takes a second for each.
growth: build venv
	GROWTH_SECONDS=$(or $(GROWTH_SECONDS),60) SEED=$(SEED) $(PYTHON) -m pytest -s \
	  Tests/BrowserTests/test_growth.py

# Several servers and their database, with a standby and nginx: rounds of each fault, then what it costs. What cannot be
# tested here, such as a network that drops packets without the right to make one, is listed at the end of the tests.
cluster: build venv
	ROUNDS=$(or $(ROUNDS),5) SEED=$(SEED) $(PYTHON) -m pytest -s -rs Tests/BrowserTests/test_cluster.py \
	  Tests/BrowserTests/test_faults_cluster.py
	Benchmarks/run --only cluster --print

# Changes a reducer, a selector and a template, and checks that a replay names each change as the first difference. It
# builds the Server three times in this folder, so nothing else may build or test meanwhile.
mutations: build venv
	MUTATIONS=1 $(PYTHON) -m pytest -s Tests/BrowserTests/test_mutations.py

bench: install venv
	Benchmarks/run
	$(PYTHON) Benchmarks/patch.py
	$(PYTHON) Benchmarks/visits.py
	$(PYTHON) Benchmarks/latency.py

# load measures the cost of up to 10,000 windows. soak checks that nothing is left behind when thousands of
# windows come and go for ten minutes. With SECONDS, it runs that long and only prints the result. With
# REPLAY=1, it also records everything, and replays it in another process. A failure prints the SEED that
# reproduces it.
load: install
	Benchmarks/load

soak: install
	Benchmarks/soak.py $(if $(SECONDS),--seconds $(SECONDS) --print) $(if $(SEED),--seed $(SEED)) \
	  $(if $(REPLAY),--replay)

# Takes the pictures in docs/images from the running server.
screenshots: build venv
	$(PYTHON) scripts/screenshots.py

# Takes pictures of each page in each engine, to compare them side by side.
engines: build venv
	$(PYTHON) scripts/engines.py

# Makes the world in Public/QuakesUI/ from Natural Earth's data. Needs the network and Debian's packages.
land:
	python3 -m venv .venv-land
	.venv-land/bin/pip install --quiet "rdata==1.1.0" "shapely==2.2.0"
	.venv-land/bin/python scripts/land.py

# Makes the plate boundaries in Public/QuakesUI/. Needs the network and PyPI.
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
