import fc from "fast-check";
import type * as z from "zod";
import { clientRoute } from "#client/route.ts";
import { routes, type Domain } from "#contract/index.ts";
import { shapeAt, type Check, type Form, type Shape } from "#contract/plain/shape.ts";
import type { RouteDefinition } from "#contract/route.ts";

/** Values for each part of each route, by its plain form. */

const id4 = "01890000-0000-4000-8000-00000000000A";
/** Texts at the borders of the contract's checks: lengths, case, spaces, patterns. */
const texts = [
  "",
  "a",
  " a ",
  "A-b",
  "01890000-0000-7000-8000-000000000001",
  id4,
  "2026-11-24T03:00:00.000Z",
  "-name",
  "12",
  "__proto__",
  "ada@example.org",
  "https://example.org/a",
  "Europe/London",
  "\u{1f600}",
  "x".repeat(300),
];

const other = fc.constantFrom<unknown>(null, 0, "", "a", true, [], [1], {}, { a: { id: "b" } });
const made = new WeakMap<Shape, fc.Arbitrary<unknown>>();

/** Values that have a shape, and some that do not. */
export function valuesOf({ shapes, place }: Form): fc.Arbitrary<unknown> {
  const shape = shapeAt(shapes, place);
  const known = made.get(shape);
  if (known !== undefined) return known;
  // A shape that contains itself has another value there.
  made.set(shape, other);
  const values = valuesBy(shape, (part) => valuesOf({ shapes, place: part }));
  made.set(shape, values);
  return values;
}

function valuesBy(
  shape: Shape,
  inner: (place: number) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  switch (shape.is) {
    case "text":
      return fc.oneof(
        { weight: 12, arbitrary: fc.oneof(fc.constantFrom(...texts), ...matching(shape.checks)) },
        fc.constantFrom<unknown>(7, null, ["a"], {}),
      );
    case "number":
      return fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: -1, max: 600 }) },
        fc.double(),
        fc.constantFrom("5", "x"),
      );
    case "boolean":
      return fc.oneof({ weight: 8, arbitrary: fc.boolean() }, fc.constantFrom("true", "no"));
    case "null":
      return fc.constant(null);
    case "one of":
      return fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom<unknown>(...shape.values) },
        fc.constantFrom<unknown>("other", [shape.values[0]]),
      );
    case "optional":
    case "default":
      return fc.option(inner(shape.inner), { nil: undefined });
    case "nullable":
      return fc.option(inner(shape.inner), { nil: null });
    case "either":
      return fc.oneof(...shape.options.map(inner), other);
    case "list":
      return fc.oneof(
        { weight: 8, arbitrary: fc.array(inner(shape.items), { maxLength: 2 }) },
        fc.dictionary(fc.constantFrom("a", "b"), inner(shape.items)),
      );
    case "tuple":
      return fc.array(fc.double(), { maxLength: 3 });
    case "map":
      return fc.dictionary(fc.constantFrom("a", "b", "items", "A b"), inner(shape.values));
    case "object":
      return objects(Object.entries(shape.members).map(([name, part]) => [name, inner(part)]));
    case "then":
      return inner(shape.first);
    default:
      return other;
  }
}

/** Objects, often whole, and some with other members, names and envelopes. */
function objects(
  members: readonly (readonly [name: string, value: fc.Arbitrary<unknown>])[],
): fc.Arbitrary<unknown> {
  const known = fc.record(Object.fromEntries(members));
  const more = fc.record(
    { createdAt: fc.nat(), other: fc.option(fc.string(), { nil: undefined }) },
    { requiredKeys: [] },
  );
  const names = members.map(([name]) => name);
  const change = fc.record({
    kind: fc.integer({ min: 0, max: 29 }),
    name: fc.constantFrom(...(names.length > 0 ? names : ["a"])),
    other,
  });
  return fc.tuple(known, more, change).map(([value, others, { kind, name, other }]) => {
    const { [name]: taken, ...rest } = value as Record<string, unknown>;
    if (kind === 0) return { ...value, ...others };
    if (kind === 1) return rest;
    if (kind === 2) return { ...rest, [name]: other };
    if (kind === 3) return { ...rest, [name.replaceAll("_", "-").toUpperCase()]: taken };
    if (kind === 4) return { data: value };
    if (kind === 5) return taken;
    return value;
  });
}

function matching(checks: readonly Check[] = []): fc.Arbitrary<string>[] {
  // The library makes no texts for assertions such as `(?!…)`, and none that ignore case.
  return checks.flatMap((check) =>
    "pattern" in check && !/\(\?[!=<]/.test(check.pattern)
      ? [fc.stringMatching(new RegExp(check.pattern))]
      : [],
  );
}

export interface Part {
  readonly name: string;
  readonly form: Form;
  readonly schema: z.ZodType;
}

/** Each part of a request or an answer that has a schema. */
export async function partsOf(direction: "sent" | "received"): Promise<readonly Part[]> {
  const names = (Object.keys(routes) as Domain[]).flatMap((domain) =>
    Object.keys(routes[domain]).map((name) => [domain, name] as const),
  );
  const found = names.map(async ([domain, name]) => {
    const route = clientRoute(domain, name);
    await route.loadShapes();
    const definition = (routes[domain] as Readonly<Record<string, RouteDefinition>>)[name];
    if (definition === undefined) throw new TypeError(`${domain}.${name} is no route`);
    return schemasOf(definition, direction).map(([part, schema]) => {
      const form = route.formOf(part);
      if (form === undefined) throw new TypeError(`${domain}.${name} has no ${part}`);
      return { name: `${domain}.${name} ${part}`, form, schema };
    });
  });
  return (await Promise.all(found)).flat();
}

type PartName = Parameters<ReturnType<typeof clientRoute>["formOf"]>[0];

function schemasOf(
  { params, query, body, reply, events, alternative }: RouteDefinition,
  direction: "sent" | "received",
): readonly (readonly [PartName, z.ZodType])[] {
  const parts: readonly (readonly [PartName, z.ZodType | undefined])[] =
    direction === "sent"
      ? [
          ["params", params],
          ["query", query],
          ["body", body?.type === "json" ? body.schema : undefined],
          ["fields", body?.type === "multipart" ? body.fields : undefined],
        ]
      : [
          ["reply", "schema" in reply ? reply.schema : undefined],
          ["events", events],
          ["alternative", alternative],
        ];
  return parts.flatMap(([name, schema]) => (schema === undefined ? [] : [[name, schema] as const]));
}
