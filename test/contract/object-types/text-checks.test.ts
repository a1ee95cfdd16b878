import { expect, test } from "vitest";
import { RecordRun } from "#contract/object-types/record-run.ts";
import {
  dateCheck,
  datetimeCheck,
  isDate,
  normalDatetime,
  notAChoice,
  referenceCheck,
  textCheck,
} from "#contract/object-types/text-checks.ts";

function checked(property: object, value: unknown): unknown {
  const run = new RecordRun(true, []);
  const stored = textCheck(property as never)(value, { parent: undefined, key: "a" }, run);
  return run.faults[0]?.detail ?? stored;
}

test.each([
  [{ type: "string" }, 7, "must be text"],
  [{ type: "email" }, "no", "must be an e-mail address"],
  [{ type: "email" }, "a@bc", "a@bc"],
  [{ type: "url" }, "a/b", "must be an absolute URL"],
  [{ type: "url" }, "javascript:alert(1)", "must be an absolute URL"],
  [{ type: "url" }, "https://a.test", "https://a.test"],
  [{ type: "string", maxLength: 2 }, "😀😀", "😀😀"],
  [{ type: "string", maxLength: 2 }, "abc", "has 3 characters; must have at most 2"],
  [{ type: "string", minLength: 2 }, "😀", "has 1 characters; must have at least 2"],
  [{ type: "string", enum: ["x", "y"] }, "z", 'must be one of "x", "y"'],
  [{ type: "string", pattern: "^a" }, "ba", "must match the pattern ^a"],
  [
    { type: "string", indexed: true },
    "ü".repeat(513),
    "is indexed, so it must have at most 1024 bytes",
  ],
  [{ type: "string" }, "x".repeat(2_000), "x".repeat(2_000)],
])("%j with %j", (property, value, outcome) => {
  expect(checked(property, value)).toBe(outcome);
});

test("patterns have a budget for a request", () => {
  const budget = { left: 5 };
  const run = new RecordRun(true, [], budget);
  textCheck({ type: "string", pattern: "^a" } as never)(
    "a".repeat(9),
    { parent: undefined, key: 0 },
    run,
  );
  expect(run.faults[0]?.detail).toMatch(/^is too long for the patterns of one request/);
});

test.each([
  ["2026-02-28", true],
  ["2026-02-30", false],
  ["2024-02-29", true],
  ["26-02-28", false],
  ["2026-2-8", false],
])("%s is a day: %s", (text, holds) => {
  expect(isDate(text)).toBe(holds);
  const run = new RecordRun(true, []);
  const place = { parent: undefined, key: "a" };
  expect(dateCheck(text, place, run)).toBe(holds ? text : undefined);
});

test.each([
  ["2026-11-21T09:30:00+01:00", "2026-11-21T08:30:00.000Z"],
  ["2026-11-21 09:30:00z", "2026-11-21T09:30:00.000Z"],
  ["2026-11-21T09:30:00", undefined],
  ["2026-11-21T24:00:00Z", undefined],
  ["0000-01-01T00:00:00+23:59", undefined],
])("the time %s is stored as %s", (text, stored) => {
  expect(normalDatetime(text)).toBe(stored);
  const run = new RecordRun(true, []);
  expect(datetimeCheck(text, { parent: undefined, key: "a" }, run)).toBe(stored);
});

test("a reference is collected with its pointer", () => {
  const run = new RecordRun(true, ["data"]);
  const id = "6f1ed002-ab59-4c1e-8d10-000000000001";
  referenceCheck("site")(id, { parent: undefined, key: "site" }, run);
  referenceCheck("site")("x", { parent: undefined, key: "site" }, run);
  expect(run.references).toEqual([{ targetObjectType: "site", id, pointer: "#/data/site" }]);
  expect(run.faults).toHaveLength(1);
  expect(notAChoice(new Set(Array(25).keys()))).toMatch(/, 19, …$/);
});
