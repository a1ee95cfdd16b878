import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { expect, test } from "vitest";
import { EventParser, type ServerEvent } from "#client/answer/event-parser.ts";

/** The events of the pieces as a library reads them. */
function byLibrary(pieces: readonly string[]): readonly ServerEvent[] {
  const found: ServerEvent[] = [];
  const parser = createParser({
    onEvent: ({ event: name, data, id }) => found.push({ name, data, id }),
  });
  for (const piece of pieces) parser.feed(piece);
  return found;
}

function read(pieces: readonly string[]): readonly ServerEvent[] {
  const parser = new EventParser();
  return pieces.flatMap((piece) => parser.read(piece));
}

test("events in any pieces are those that a library reads", () => {
  const fields = ["data", ":", ": ", "event", "id", "retry", "a", "\u00fc", " ", "\0", "x:y"];
  const lines = [
    "\n",
    "\n\n",
    "\r\n",
    "\r\n\r\n",
    "data: c\n\n",
    "event: e\n",
    "id: 7\n",
    "data:b",
  ];
  const part = fc.constantFrom(...fields, ...lines);
  const pieces = fc.array(fc.array(part, { maxLength: 12 }).map((parts) => parts.join("")));
  const property = fc.property(pieces, (given) => {
    // The library waits for the character after a return at the end.
    const whole = [...given, "\n"];
    expect(read(whole)).toEqual(byLibrary(whole));
  });
  fc.assert(property, { numRuns: 1000, seed: 31 });
});

test.each([
  ["returns as line ends", ["data: a\r", "data: b\r\r"], ["a\nb"]],
  ["a return and its line feed apart", ["data: a\r", "\ndata: b\r", "\n\r", "\n"], ["a\nb"]],
  ["an event without an end", ["data: a\n"], []],
])("%s", (_name, pieces, data) => {
  expect(read(pieces).map((event) => event.data)).toEqual(data);
});

test("a line or an event above 1 MiB is too long, also in pieces", () => {
  const piece = "x".repeat(64 * 1024);
  for (const between of ["", "\ndata:"]) {
    const parser = new EventParser();
    parser.read("data:");
    for (let count = 0; count < 17; count += 1) parser.read(`${piece}${between}`);
    expect(parser.isTooLong).toBe(true);
    expect(parser.read("\n\n")).toEqual([]);
  }
});
