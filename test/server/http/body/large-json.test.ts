import { expect, test } from "vitest";
import { Refusal } from "#contract/problems.ts";
import { jsonParsing, parseJson } from "#server/http/body/read-body.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

test("a JSON body is read in six parts, so that a large one leaves ticks to others", () => {
  const body = { list: Array.from({ length: 1_000 }, (_, index) => [index, index / 2]) };
  const parts = jsonParsing(bytesOf(JSON.stringify(body)));
  let count = 1;
  let part = parts.next();
  for (; part.done !== true; part = parts.next()) count += 1;
  expect(count).toBe(6);
  expect(part.value).toEqual(body);
});

test.each([
  ["not JSON", `[1,2`],
  ["empty", ` `],
  ["nested too deep", "[".repeat(65) + "]".repeat(65)],
])("a body that is %s is refused in parts as at once", (_what, text) => {
  const bytes = bytesOf(text);
  const run = (): void => {
    const parts = jsonParsing(bytes);
    for (let part = parts.next(); part.done !== true; part = parts.next());
  };
  const refused = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return error instanceof Refusal ? { code: error.code, message: error.message } : error;
    }
  };
  expect(refused(run)).toMatchObject({ code: "malformed-body" });
  expect(refused(run)).toEqual(refused(() => parseJson(bytes)));
});
