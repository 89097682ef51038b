"""The parser of server-sent events, fed in chunks that end anywhere."""

import pytest

STREAM = (
    ": hello\r\nretry: 500\r\n\r\n"
    "event: frame\nid: 7\ndata: {\"a\": 1}\n\n"
    ":\n\n"
    "data: one\rdata:two\r\r"
    "event: empty\n\n"
    "data\nid: 8\nunknown: x\n\n"
    "data: ü😀\n\n"
    "data: cut off"
)
EVENTS = [
    {"name": "frame", "id": "7", "data": '{"a": 1}'},
    {"name": "message", "id": "7", "data": "one\ntwo"},
    {"name": "message", "id": "8", "data": ""},
    {"name": "message", "id": "8", "data": "ü😀"},
]


def parse(page, chunks):
    return page.evaluate(
        """async (chunks) => {
          const { EventParser } = await import("/public/sse.js");
          const parser = new EventParser();
          return { events: chunks.flatMap((chunk) => parser.push(chunk)), retry: parser.retry };
        }""",
        chunks,
    )


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 64, 10_000])
def test_events_are_the_same_wherever_the_chunks_end(bench, size):
    chunks = [STREAM[start : start + size] for start in range(0, len(STREAM), size)]

    assert parse(bench.page, chunks) == {"events": EVENTS, "retry": 500}


def test_crlf_is_one_line_end_even_when_split_across_chunks(bench):
    events = parse(bench.page, ["data: a\r", "", "\ndata: b\r", "\n\r", "\n"])["events"]

    assert events == [{"name": "message", "id": "", "data": "a\nb"}]


def test_a_long_line_in_many_chunks_takes_linear_time(bench):
    events = bench.page.evaluate(
        """async () => {
          const { EventParser } = await import("/public/sse.js");
          const parser = new EventParser();
          parser.push("data: ");
          for (let count = 0; count < 5000; count += 1) parser.push("x".repeat(2000));
          return parser.push("\\n\\n").map((event) => event.data.length);
        }"""
    )

    assert events == [10_000_000]
