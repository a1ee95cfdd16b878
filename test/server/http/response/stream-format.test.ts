import { expect, test } from "vitest";
import { Refusal } from "#contract/problems.ts";
import { bytesOf, eventFormat, socketFormat } from "#server/http/response/stream-format.ts";

function stoppedBy(reason: unknown): AbortSignal {
  const controller = new AbortController();
  controller.abort(reason);
  return controller.signal;
}

test("a drain says when to connect again, another time for each client", () => {
  const draining = stoppedBy(new Refusal("draining"));
  const times = new Set<string | undefined>();
  for (let client = 0; client < 50; client += 1) {
    const [, ms] = /^retry: (\d+)\n\n$/.exec(eventFormat.stopped(draining) ?? "") ?? [];
    expect(Number(ms)).toBeGreaterThanOrEqual(500);
    expect(Number(ms)).toBeLessThanOrEqual(3_000);
    times.add(ms);
  }
  expect(times.size).toBeGreaterThan(1);
  expect(socketFormat.stopped(draining)).toMatch(/^#1012 .* after \d+ ms\n$/);
});

test("a reader that leaves gets no time", () => {
  const left = stoppedBy(new DOMException("left", "AbortError"));
  expect(eventFormat.stopped(left)).toBeUndefined();
  expect(socketFormat.stopped(left)).toBe("#1000 \n");
});

test("a WebSocket has each value as one line", () => {
  const text = "two\nlines";
  expect(socketFormat.event({ data: { text } }, 1)).toBe(`${JSON.stringify({ text })}\n`);
});

test("a value of several streams is encoded once for each format", () => {
  const shared = { id: "a", data: { text: "ä" }, isShared: true };
  const bytes = bytesOf(eventFormat, shared, 1);
  expect(new TextDecoder().decode(bytes)).toBe('id: a\ndata: {"text":"ä"}\n\n');
  expect(bytesOf(eventFormat, shared, 7)).toBe(bytes);
  expect(new TextDecoder().decode(bytesOf(socketFormat, shared, 1))).toBe('{"text":"ä"}\n');
  const { isShared: _shared, ...own } = shared;
  expect(bytesOf(eventFormat, own, 1)).not.toBe(bytesOf(eventFormat, own, 1));
});
