import { expect, test } from "vitest";
import * as z from "zod";
import { alsoNamed, named, otherwise } from "#contract/deployments.ts";
import { domainNames, formOf, loadShapes, routeNames } from "#contract/plain/route-table.ts";
import { ShapeReader } from "#contract/plain/shape-reader.ts";
import { ShapeWriter } from "#contract/plain/shape-writer.ts";
import { shapeAt, type Form } from "#contract/plain/shape.ts";
import { formOf as formOfSchema } from "#test/support/form.ts";

/** A shape with its parts in place of their numbers, to a depth. */
function whole({ shapes, place }: Form, depth = 5): unknown {
  if (depth === 0) return "…";
  const inner = (part: number) => whole({ shapes, place: part }, depth - 1);
  const shape = shapeAt(shapes, place);
  switch (shape.is) {
    case "object": {
      const members = Object.entries(shape.members).map(([name, part]) => [name, inner(part)]);
      return { ...shape, members };
    }
    case "list":
      return { ...shape, items: inner(shape.items) };
    case "map":
      return { ...shape, keys: inner(shape.keys), values: inner(shape.values) };
    case "either":
      return { ...shape, options: shape.options.map(inner) };
    case "tuple":
      return { ...shape, parts: shape.parts.map(inner) };
    case "then":
      return { ...shape, first: inner(shape.first), next: inner(shape.next) };
    case "optional":
    case "nullable":
    case "default":
      return { ...shape, inner: inner(shape.inner) };
    default:
      return shape;
  }
}

const tree = z.strictObject({
  name: z.string().min(1),
  get parts(): z.ZodOptional<z.ZodArray<typeof tree>> {
    return z.array(tree).optional();
  },
});

test.each<[name: string, schema: z.ZodType]>([
  [
    "leaves",
    z.object({ a: z.string(), b: z.int(), c: z.number(), d: z.boolean(), e: z.unknown() }),
  ],
  ["usual members", z.looseObject({ a: z.string().optional(), b: z.string().optional() })],
  ["marks", z.looseObject({ a: named(z.string()), b: alsoNamed(z.int(), "c"), d: z.null() })],
  [
    "checks",
    z.strictObject({ a: z.string().max(9).regex(/b/i, "c"), "x-d": z.array(z.int()).min(1) }),
  ],
  ["fallbacks", z.looseObject({ a: otherwise(z.number(), { value: 0 }), b: z.string() })],
  ["choices", z.union([z.enum(["a", "b"]), z.literal(1), z.tuple([z.number(), z.string()])])],
  ["an option by a literal", z.discriminatedUnion("op", [z.object({ op: z.literal("a") })])],
  ["maps and defaults", z.record(z.string(), z.string().nullable().default("x"))],
  ["a shape that contains itself", tree],
])("a text is read as the shape that was written: %s", (_name, schema) => {
  const form = formOfSchema(z.object({ first: schema, second: schema, third: schema.optional() }));
  const writer = new ShapeWriter(form.shapes, [form.place]);
  const text = writer.textOf(form.place);
  const reader = new ShapeReader();
  reader.add({ ...writer.take({}), common: "" });
  const place = reader.placeOf(text);
  expect(whole({ shapes: reader.shapes, place }, 6)).toEqual(whole(form, 6));
});

test("every part of every route has a shape whose parts are known", async () => {
  let count = 0;
  for (const domain of domainNames) {
    await loadShapes(domain);
    for (const name of routeNames(domain)) {
      for (const part of ["params", "query", "body", "reply"] as const) {
        const form = formOf(domain, name, part);
        if (form === undefined) continue;
        expect(JSON.stringify(whole(form))).toContain('"is":');
        count += 1;
      }
    }
  }
  expect(count).toBeGreaterThan(300);
});
