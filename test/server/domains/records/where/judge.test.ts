import { expect, test } from "vitest";
import { judgeOf } from "#server/domains/records/service.ts";
import type { FieldSource } from "#server/fields/path-fields.ts";

const source: FieldSource = {
  properties: {
    officer: { type: "string", indexed: true },
    amount: { type: "number", indexed: true },
    due: { type: "datetime", indexed: true },
    urgent: { type: "boolean", indexed: true },
    note: { type: "string" },
  },
  slots: [],
  mayHoldLists: new Set(),
};

const judge = (where: unknown) => judgeOf(where, ["where"], [source]);

test.each<[object, object, boolean]>([
  [{ officer: "kim" }, { officer: "kim" }, true],
  [{ officer: "kim" }, { officer: "lee" }, false],
  [{ officer: null }, {}, true],
  [{ officer: { $ne: "kim" } }, {}, true],
  [{ amount: { $gt: 10 } }, { amount: 11 }, true],
  [{ amount: { $gt: 10 } }, { amount: 10 }, false],
  [{ amount: { $gt: 10 } }, { amount: "11" }, false],
  [{ amount: { $lte: null } }, {}, true],
  [{ officer: { $gt: "\u{FFFD}" } }, { officer: "\u{1F600}" }, true],
  [{ officer: { $in: ["kim", "lee"] } }, { officer: "lee" }, true],
  [{ officer: { $nin: ["kim"] } }, { officer: "kim" }, false],
  [{ officer: { $exists: false } }, { officer: null }, false],
  [{ officer: { $startsWith: "k" } }, { officer: "kim" }, true],
  [{ officer: { $regex: "^K", $options: "i" } }, { officer: "kim" }, true],
  [{ amount: { $mod: [4, 1] } }, { amount: 5.5 }, true],
  [{ officer: { $type: "string" } }, { officer: 1 }, false],
  [{ urgent: true, amount: 1 }, { urgent: true, amount: 1 }, true],
  [{ $or: [{ amount: 1 }, { amount: 2 }] }, { amount: 2 }, true],
  [{ $nor: [{ amount: 1 }, { amount: 2 }] }, { amount: 2 }, false],
  [{ due: "2026-01-01T01:00:00+01:00" }, { due: "2026-01-01T00:00:00.000Z" }, true],
  [{ id: "one" }, { id: "one" }, true],
])("%j judges %j as a list does: %j", (where, values, expected) => {
  expect(judge(where).matches({ ...values })).toBe(expected);
});

test("names an equality that each matching record has", () => {
  expect(judge({ amount: { $gt: 1 }, officer: "kim" }).term).toEqual({
    name: "officer",
    values: ["kim"],
  });
  expect(judge({ officer: { $in: ["kim", "lee"] } }).term?.values).toEqual(["kim", "lee"]);
  expect(judge({ $or: [{ officer: "kim" }, { amount: 1 }] }).term).toBeUndefined();
  expect(judge({ officer: null }).term).toBeUndefined();
});

test.each([
  [{ note: "x" }, "#/where/note"],
  [{ unknown: 1 }, "#/where/unknown"],
  [{ created_at: { $gt: "2026-01-01T00:00:00Z" } }, "#/where/created_at"],
  [{ officer: { $size: 1 } }, "#/where/officer"],
])("refuses %j", (where, pointer) => {
  expect(() => judge(where)).toThrow(
    expect.objectContaining({
      code: "validation-failed",
      options: expect.objectContaining({ errors: [expect.objectContaining({ pointer })] }),
    }),
  );
});
