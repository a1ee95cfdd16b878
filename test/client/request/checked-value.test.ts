import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import * as z from "zod";
import { checkedValue } from "#client/request/checked-value.ts";
import { sentForm } from "#contract/deployments.ts";
import { rule } from "#contract/plain/rule.ts";
import type { Form } from "#contract/plain/shape.ts";
import { schemaFaults } from "#contract/schema-faults.ts";
import { formOf } from "#test/support/form.ts";
import { partsOf, valuesOf } from "../contract-values.ts";

/** The value that a schema returns as JSON, or its faults. */
function bySchema(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  return parsed.success ? JSON.stringify(parsed.data) : schemaFaults(parsed.error);
}

function byForm(form: Form, value: unknown): unknown {
  const outcome = checkedValue(form, value);
  return outcome.fits ? JSON.stringify(outcome.value) : schemaFaults(outcome);
}

describe("a value is checked as its schema checks it, with the same faults:", () => {
  it("in every part of a request", async () => {
    const counts = { taken: 0, refused: 0 };
    for (const { name, form, schema } of await partsOf("sent")) {
      const sent = sentForm(schema);
      const property = fc.property(valuesOf(form), (value) => {
        const expected = bySchema(sent, value);
        counts[typeof expected === "string" ? "taken" : "refused"] += 1;
        expect(byForm(form, value), name).toEqual(expected);
      });
      fc.assert(property, { numRuns: 20, seed: 31 });
    }
    expect(counts.taken).toBeGreaterThan(1_000);
    expect(counts.refused).toBeGreaterThan(1_000);
  });

  it.each<[name: string, schema: z.ZodType, values: readonly unknown[]]>([
    ["code points", z.string().min(2).max(3), ["\u{1f600}", "\u{1f600}a", "\u{1f600}abc", [1]]],
    ["edits first", z.string().trim().toLowerCase().min(1), [" A ", "  ", 1]],
    ["sizes of lists", z.array(z.string()).min(1).max(2), [[], [1], [1, 2, 3], ["a"]]],
    ["whole numbers", z.int().min(1).max(9), [0, 1.5, 1e20, -1e20, "1", Number.NaN]],
    ["a last check", z.string().regex(/a/, { abort: true }).regex(/b/), ["", "a", "ab"]],
    [
      "a name",
      z.record(z.string().regex(/^a/, "must begin with a"), z.int()),
      [{ b: 1 }, { a: "" }],
    ],
    ["no other member", z.strictObject({ a: z.unknown() }), [{}, { a: 1, b: 2 }, { a: undefined }]],
    [
      "a rule after members",
      z.object({ a: z.int() }).refine(rule("some", "b"), "no b"),
      [{ a: 1 }, {}],
    ],
    ["a place", z.tuple([z.number(), z.number()]), [[1], [1, 2], [1, 2, 3], ["a", 2], {}]],
    ["one option", z.union([z.string().max(1), z.int()]), ["ab", 1.5, null]],
    [
      "defaults",
      z.object({ a: z.int().default(3), b: z.null().optional() }),
      [{}, { a: null, b: 1 }],
    ],
    [
      "the option of a literal",
      z.discriminatedUnion("op", [
        z.strictObject({ op: z.literal("a"), b: z.int() }),
        z.strictObject({ op: z.literal("c") }),
      ]),
      [{ op: "a" }, { op: "c", b: 1 }, { op: "d" }, {}, 1],
    ],
  ])("%s", (_name, schema, values) => {
    const form = formOf(schema);
    expect(values.map((value) => byForm(form, value))).toEqual(
      values.map((value) => bySchema(schema, value)),
    );
  });
});

test("a schema that contains itself has a shape", () => {
  const tree = z.object({
    name: z.string(),
    get parts(): z.ZodOptional<z.ZodArray<typeof tree>> {
      return z.array(tree).optional();
    },
  });
  const value = { name: "a", parts: [{ name: "b", parts: [] }, { name: 1 }] };
  const outcome = checkedValue(formOf(tree), value);
  expect(outcome.fits || schemaFaults(outcome)).toEqual([
    { path: ["parts", 1, "name"], detail: "must be of type string" },
  ]);
});
