import { describe, expect, test } from "vitest";
import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import { compileRecordCheck } from "#contract/object-types/record.ts";
import { normalDatetime } from "#contract/object-types/text-checks.ts";

function check(property: PropertyDefinition, value: unknown) {
  const run = compileRecordCheck({ properties: { p: property } });
  const { data, faults } = run({ p: value }, { isCreation: true });
  return faults.length > 0 ? faults.map((fault) => `${fault.pointer} ${fault.detail}`) : data["p"];
}

describe("a property's values", () => {
  test.each<[string, PropertyDefinition, unknown, unknown]>([
    ["text", { type: "string" }, "ä", "ä"],
    ["a length in characters", { type: "string", maxLength: 2 }, "😀😀", "😀😀"],
    ["a whole number", { type: "integer" }, -9007199254740991, -9007199254740991],
    ["minus zero as zero", { type: "number" }, -0, 0],
    ["a bound itself", { type: "number", minimum: 1, maximum: 1 }, 1, 1],
    ["a leap day", { type: "date" }, "2028-02-29", "2028-02-29"],
    [
      "a time in UTC",
      { type: "datetime" },
      "2026-11-21T10:30:00.5+01:00",
      "2026-11-21T09:30:00.500Z",
    ],
    [
      "a time with a small t and z",
      { type: "datetime" },
      "2026-11-21t09:30:00z",
      "2026-11-21T09:30:00.000Z",
    ],
    ["an address", { type: "email" }, "o'neil+x@example.org", "o'neil+x@example.org"],
    ["a URL", { type: "url" }, "https://example.org/ä?x=1", "https://example.org/ä?x=1"],
    ["a choice", { type: "enum", enum: ["a", 2] }, 2, 2],
    ["free data", { type: "object" }, { a: [{ b: -0 }] }, { a: [{ b: 0 }] }],
    ["a list of anything", { type: "array" }, [1, null, "x"], [1, null, "x"]],
    [
      "a point",
      { type: "geopoint" },
      { type: "Point", coordinates: [-180, 90, 12] },
      {
        type: "Point",
        coordinates: [-180, 90, 12],
      },
    ],
    ["null where nothing is required", { type: "integer" }, null, null],
  ])("take %s", (_words, property, value, expected) => {
    expect(check(property, value)).toEqual(expected);
  });

  test.each<[string, PropertyDefinition, unknown, string]>([
    ["a number as text", { type: "string" }, 5, "#/p must be text"],
    [
      "a short text",
      { type: "string", minLength: 3 },
      "😀😀",
      "#/p has 2 characters; must have at least 3",
    ],
    [
      "a long text",
      { type: "string", maxLength: 1 },
      "ab",
      "#/p has 2 characters; must have at most 1",
    ],
    [
      "a text off its pattern",
      { type: "string", pattern: "^\\d+$" },
      "1a",
      "#/p must match the pattern ^\\d+$",
    ],
    [
      "a text that would take its pattern long",
      { type: "string", pattern: "a(?:[ab]{250}){15}c" },
      "a".repeat(20_000),
      "#/p is too long for its pattern; must have at most 2663 characters",
    ],
    ["half a number", { type: "integer" }, 0.5, "#/p must be an integer"],
    ["2^53", { type: "integer" }, 2 ** 53, "#/p must be between -2^53 and 2^53"],
    ["infinity", { type: "number" }, Number.POSITIVE_INFINITY, "#/p is a number out of range"],
    ["a number below", { type: "number", minimum: 0 }, -0.1, "#/p must be at least 0"],
    ["a truth as text", { type: "boolean" }, "true", "#/p must be true or false"],
    ["30 February", { type: "date" }, "2026-02-30", "#/p must be a date, as 2026-11-21"],
    [
      "a time without a zone",
      { type: "datetime" },
      "2026-11-21T09:30:00",
      "#/p must be a time, as 2026-11-21T09:30:00Z",
    ],
    [
      "25 o'clock",
      { type: "datetime" },
      "2026-11-21T25:00:00Z",
      "#/p must be a time, as 2026-11-21T09:30:00Z",
    ],
    ["two addresses", { type: "email" }, "a@b.c, d@e.f", "#/p must be an e-mail address"],
    ["a script", { type: "url" }, "javascript:alert(1)", "#/p must be an absolute URL"],
    ["a path", { type: "url" }, "/relative", "#/p must be an absolute URL"],
    ["no choice", { type: "enum", enum: ["a", 2] }, "2", '#/p must be one of "a", 2'],
    ["a list as object", { type: "object" }, [], "#/p must be an object"],
    ["one as list", { type: "array" }, "a", "#/p must be a list"],
    ["too few items", { type: "array", minItems: 1 }, [], "#/p must have at least 1 item"],
    [
      "a wrong item",
      { type: "array", items: { type: "integer" } },
      [1, "2"],
      "#/p/1 must be an integer",
    ],
    [
      "no id",
      { type: "reference", targetObjectType: "x" },
      "42",
      "#/p must be the id of a record of x",
    ],
    [
      "latitude first",
      { type: "geopoint" },
      { type: "Point", coordinates: [53, 100] },
      "#/p/coordinates/1 must be a number from -90 to 90",
    ],
    [
      "a point by names",
      { type: "geopoint" },
      { lat: 1, lon: 2 },
      '#/p must be a point, as {"type":"Point","coordinates":[longitude,latitude]}',
    ],
    [
      "a long indexed text",
      { type: "string", indexed: true },
      "ä".repeat(513),
      "#/p is indexed, so it must have at most 1024 bytes",
    ],
    [
      "an inherited name",
      { type: "object", properties: {} },
      { toString: 1 },
      "#/p/toString is not a property of this type",
    ],
  ])("refuse %s", (_words, property, value, fault) => {
    expect(check(property, value)).toEqual([fault]);
  });
});

describe("a record's data", () => {
  const properties = {
    title: { type: "string", required: true },
    status: { type: "string", default: "new" },
    plan: { type: "file", required: true },
  } as const;
  const run = compileRecordCheck({
    properties,
    linkTypes: [
      { name: "owner", targetObjectType: "person", cardinality: "one" },
      { name: "related", targetObjectType: "thing", cardinality: "many" },
    ],
  });
  const id = "0190a000-0000-7000-8000-000000000001";

  test("gets defaults when it is made, and not when it is changed", () => {
    expect(run({ title: "a" }, { isCreation: true }).data).toEqual({ title: "a", status: "new" });
    expect(run({ title: "a" }, { isCreation: false, stored: {} }).data).toEqual({ title: "a" });
  });

  test("has the definition's order", () => {
    const { data } = run({ owner: id, status: "x", title: "a" }, { isCreation: true });
    expect(Object.keys(data)).toEqual(["title", "status", "owner"]);
  });

  test("lists references with their places", () => {
    const { references } = run(
      { title: "a", owner: id, related: [id] },
      { isCreation: true, base: ["data"] },
    );
    expect(references).toEqual([
      { targetObjectType: "person", id, pointer: "#/data/owner" },
      { targetObjectType: "thing", id, pointer: "#/data/related/0" },
    ]);
  });

  test("keeps its files in every update", () => {
    const stored = { title: "a", plan: { sha256: "abc", size: 1 } };
    const same = run(
      { title: "b", plan: { size: 1, sha256: "abc" } },
      { isCreation: false, stored },
    );
    expect(same).toMatchObject({ faults: [], data: { title: "b", plan: stored.plan } });
    expect(run({ title: "b" }, { isCreation: false, stored }).data["plan"]).toEqual(stored.plan);
    const forged = run(
      { title: "b", plan: { sha256: "def", size: 1 } },
      { isCreation: false, stored },
    );
    expect(forged.faults.map(({ pointer }) => pointer)).toEqual(["#/plan"]);
  });

  test("has no file that only every object's own prototype names", () => {
    const check = compileRecordCheck({ properties: { constructor: { type: "file" as const } } });
    for (const options of [{ isCreation: true }, { isCreation: false, stored: {} }]) {
      expect(check({}, options)).toEqual({ data: {}, faults: [], references: [] });
    }
  });

  test("has at most 50 faults to read", () => {
    const data = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]));
    expect(run(data, { isCreation: true }).faults).toHaveLength(50);
  });
});

test("times have one form", () => {
  expect(normalDatetime("2026-11-21T00:30:00.123456+02:00")).toBe("2026-11-20T22:30:00.123Z");
  expect(normalDatetime("0000-01-01T00:00:00+01:00")).toBeUndefined();
  expect(normalDatetime("2026-11-21")).toBeUndefined();
});
