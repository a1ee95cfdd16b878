import { describe, expect, test } from "vitest";
import * as z from "zod";
import { Refusal } from "#contract/problems.ts";
import { validated } from "#server/kit/faults.ts";

function faults(
  schema: z.ZodType,
  value: unknown,
  place: "body" | "query" | "path" = "body",
): unknown {
  try {
    return validated(schema, value, place);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.options.errors?.map(({ pointer, detail }) => `${pointer} ${detail}`);
  }
}

describe("a fault", () => {
  const person = z.strictObject({
    name: z.string().min(2).max(4),
    age: z.int().min(0).max(150),
    tags: z.array(z.string()).min(1),
    kind: z.enum(["a", "b"]),
  });

  test("has its pointer and the expected value", () => {
    expect(faults(person, { name: "x", age: 200, tags: [], kind: "c", extra: 1 })).toEqual([
      "#/name must have at least 2 characters",
      "#/age must be at most 150",
      "#/tags must have at least 1 item",
      '#/kind must be "a" or "b"',
      "#/extra is not known here",
    ]);
    expect(faults(person, { name: 1, age: "x", tags: [1] })).toEqual([
      "#/name must be of type string",
      "#/age must be of type number",
      "#/tags/0 must be of type string",
      '#/kind must be "a" or "b"',
    ]);
  });

  test("of the whole body points to its root", () => {
    expect(faults(person, null)).toEqual(["# must be of type object"]);
  });

  test("in the path has the value that was given, up to a length", () => {
    const path = z.object({ id: z.string().regex(/^\d+$/, "must be a number") });
    expect(faults(path, { id: "x" }, "path")).toEqual(['#/path/id must be a number, not "x"']);
    const [long] = faults(path, { id: "x".repeat(5_000) }, "path") as string[];
    expect(long?.length).toBeLessThan(150);
    expect(faults(z.object({ id: z.uuid("must be a UUID") }), { id: "secret" })).toEqual([
      "#/id must be a UUID",
    ]);
  });

  test("in the query has its place in the pointer", () => {
    const query = z.object({ limit: z.coerce.number().int().max(500) });
    expect(faults(query, { limit: "501" }, "query")).toEqual(["#/query/limit must be at most 500"]);
    expect(faults(query, { limit: "many" }, "query")).toEqual([
      "#/query/limit must be of type number",
    ]);
  });

  test("in a name with slashes is escaped by RFC 6901", () => {
    const schema = z.record(z.string(), z.number());
    expect(faults(schema, { "a/b~c": "x" })).toEqual(["#/a~1b~0c must be of type number"]);
  });

  test("in an alternative is of the alternative with the same type", () => {
    const schema = z.union([z.string(), z.object({ to: z.object({ name: z.string() }) })]);
    expect(faults(schema, { to: { name: 1 } })).toEqual(["#/to/name must be of type string"]);
  });

  test("in an alternative is of the alternative with the same names", () => {
    const items = z.array(z.string()).max(1);
    const schema = z.union([z.strictObject({ items }), z.strictObject({ ids: items })]);
    expect(faults(schema, { ids: ["a", "b"] })).toEqual(["#/ids must have at most 1 item"]);
    expect(faults(schema, { items: ["a", "b"] })).toEqual(["#/items must have at most 1 item"]);
  });

  test("in the size of a value is of the alternative with its type", () => {
    const schema = z.union([z.array(z.number()).max(1), z.strictObject({ items: z.number() })]);
    expect(faults(schema, [1, 2])).toEqual(["# must have at most 1 item"]);
  });

  test("in a name has the message of the name's pattern", () => {
    const names = z.record(z.string().regex(/^[a-z]+$/, "is not a name"), z.number());
    expect(faults(names, { "": 1, "a.b": 1, ok: 1 })).toEqual([
      "#/ is not a name",
      "#/a.b is not a name",
    ]);
  });

  test("of no alternative lists what each of them expects", () => {
    const schema = z.union([z.boolean(), z.enum(["true", "false"])]);
    expect(faults(schema, "maybe")).toEqual([
      '# must be of type boolean or must be "true" or "false"',
    ]);
  });

  test("does not repeat the sent value", () => {
    expect(
      JSON.stringify(faults(person, { name: "hunter2hunter2", kind: "swordfish" })),
    ).not.toMatch(/hunter2|swordfish/);
  });

  test("is one of at most fifty", () => {
    const schema = z.array(z.number());
    const many = Array.from({ length: 500 }, () => "x");
    expect(faults(schema, many)).toHaveLength(50);
  });
});

test("a valid value is returned parsed", () => {
  expect(faults(z.object({ n: z.coerce.number() }), { n: "7" })).toEqual({ n: 7 });
});
