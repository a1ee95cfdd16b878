import { describe, expect, test } from "vitest";
import {
  mappedBody,
  MappingError,
  Mappings,
  textOf,
} from "#server/domains/webhook-sources/mapping.ts";
import { svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const form = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };

test.each([
  ["JSON", {}, '{"a":[1]}', { a: [1] }],
  ["JSON whatever its media type", { "content-type": "text/plain" }, "12", 12],
  ["the payload of a form", form, `payload=${encodeURIComponent('{"a":1}')}`, { a: 1 }],
  ["a form without a payload as text", form, "a=1&b=2", "a=1&b=2"],
  ["text that is no JSON", {}, "hello", "hello"],
  ["an empty body as text", {}, "", ""],
])("a mapping sees %s", (_, headers, body, expected) => {
  expect(mappedBody(headers, bytesOf(body))).toEqual(expected);
});

test("a mapping sees null for bytes that are not UTF-8", () => {
  const bytes = Uint8Array.of(0xc3, 0x28);
  expect(textOf(bytes)).toBeNull();
  expect(mappedBody({}, bytes)).toBeNull();
});

describe("a hostile mapping", () => {
  test.each([
    ["that never ends", "def f: f; f", /longer than 1000 ms/],
    ["that takes much memory", `[range(1e9)] | length`, /64 MiB|longer than/],
    ["that writes too much", `[limit(1100; repeat("x" * 1000))]`, /1 MiB/],
    ["that reads the environment", `$ENV.PATH | error`, /null|failed|value/],
    ["that is not jq", "{", /failed/],
    ["that gives another value", `{delete: "all"}`, /not an upsert/],
    ["that gives two values", `null, null`, /2 values/],
    ["that fails after a value", `null, error("late")`, /late/],
    ["that reads another input", `null, input`, /failed/],
    ["that is halted", `null, halt`, /halted/],
    ["that ends the array around it", `null)],[(null`, /parenthesis/],
    ["that calls itself without end", "def f: 1 + f; f", /64 MiB|longer than|too deep/],
    ["that includes a file", `include "a"; null`, /failed/],
    ["that nests too deeply", `{} | .a[536870911] = 1`, /too large or too deep|64 MiB/],
  ])("%s has no effect, and the error says why", async (_name, mapping, error) => {
    const dataDirectory = await temporaryDirectory("mappings");
    const extractionCommand = [await svcExecutable(), "__extract"];
    const mappings = new Mappings({ extractionCommand, dataDirectory });
    const input = { id: "test", receivedAt: new Date().toISOString(), headers: {}, body: {} };
    const { signal } = new AbortController();
    const effect = mappings.effect(mapping, input, { workspaceId: "own", signal });
    await expect(effect).rejects.toThrow(error);
    await expect(effect).rejects.toBeInstanceOf(MappingError);
  });
});
