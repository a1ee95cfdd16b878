import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { createClient } from "#client/client.ts";
import { PlainValues, unclear, type Direction } from "#client/request/plain-value.ts";
import { readAnswer } from "#client/answer/reading.ts";
import { clientRoute } from "#client/route.ts";
import { sentForm } from "#contract/deployments.ts";
import { listBody } from "#contract/lists.ts";
import type { Shape, TextShape } from "#contract/plain/shape.ts";
import { resource } from "#contract/resources/resources.ts";
import { domainNames, domainTable } from "#contract/plain/route-table.ts";
import { clientOf, errorOf, problem, serve, tenantId } from "../servers.ts";

const id = "01890000-0000-7000-8000-000000000001";
const record = {
  id,
  type: "tree",
  version: 3,
  data: { species: "elm", place: { x: 1 }, tags: [] },
  created_at: "2026-11-24T03:00:00.000Z",
  updated_at: "2026-11-24T03:00:00.000Z",
  created_by: "a",
  updated_by: "b",
};
const list = { items: [record], page: 1, limit: 20, hasNextPage: false, nextCursor: null };

const answers: readonly [name: string, body: unknown][] = [
  ["a plain record", record],
  ["a record with another member", { ...record, etag: "x" }],
  ["a record without times", { id, version: 1, data: {} }],
  ["a record under other names", { ...record, created_at: undefined, createdAt: 5 }],
  ["a record with a version as text", { ...record, version: "3" }],
  ["a wrapped record", { data: record }],
  ["no record", { ok: true }],
  ["a list", list],
  ["a list of nothing", { ...list, items: [] }],
  ["a list with another record", { ...list, items: [record, { id }] }],
  ["a list that is counted", { ...list, total: 1 }],
  ["a list under other names", { items: [record], pageNumber: 1 }],
];

/** The answer as the schema reads it, as JSON; undefined if the schema refuses it. */
function bySchema(schema: z.ZodType, answer: unknown): string | undefined {
  const reading = readAnswer(schema, answer);
  return reading.fits ? JSON.stringify(reading.value) : undefined;
}

async function outcomeOf(call: Promise<unknown>): Promise<string | undefined> {
  return await call.then(
    (value) => JSON.stringify(value),
    (error: unknown) => {
      expect(error).toMatchObject({ code: "E203" });
      return undefined;
    },
  );
}

describe("a client reads as the schema does, in one request:", () => {
  it.each(answers)("one record, answered with %s", async (_name, body) => {
    const server = serve(() => Response.json(body));
    const call = clientOf(server).useResources("tree").get(id);
    expect(await outcomeOf(call)).toEqual(bySchema(resource, body));
    expect(server.seen.map(({ path }) => path)).toEqual([
      `/v4/data/resources/${tenantId}/tree/${id}`,
    ]);
  });

  it.each(answers)("a list, answered with %s", async (_name, body) => {
    const server = serve(() => Response.json(body));
    const query = { page: 1, limit: 20, sort: "-created_at" };
    const call = clientOf(server).useResources("tree").list(query);
    expect(await outcomeOf(call)).toEqual(bySchema(listBody(resource), body));
    expect(server.seen.map(({ path }) => path)).toEqual([
      `/v4/data/resources/${tenantId}/tree?page=1&limit=20&sort=-created_at`,
    ]);
  });

  it.each([
    ["a refusal", () => problem(404, "not-found"), "E202", `tree ${id} not found`],
    ["a page of a portal", () => new Response("<title>Sign in</title>"), "E203", "does not match"],
    ["an empty answer", () => new Response(""), "E203", "is not JSON"],
    ["text that nests too deep", () => new Response("[".repeat(5_000)), "E203", "does not match"],
  ])("%s is an error", async (_name, answer, code, words) => {
    const call = clientOf(serve(answer)).useResources("tree").get(id);
    const message = expect.stringContaining(words);
    expect(await errorOf(call)).toMatchObject({ code, message });
  });

  it.each([
    ["../x", id],
    ["tree", "../x"],
    ["", id],
  ])("the type %j and the ID %j are refused before a request", async (type, given) => {
    const server = serve(() => Response.json(record));
    const call = clientOf(server).useResources(type).get(given);
    expect(await errorOf(call)).toMatchObject({ code: "E305" });
    expect(server.seen).toEqual([]);
  });

  it("an option that has no effect is refused", async () => {
    const client = createClient({ baseUrl: "http://127.0.0.1:9", token: "t", tenantId });
    const input = Object.assign({ params: { objectType: "tree", id } }, { quick: true });
    const call = client.resources.get(input);
    expect(await errorOf(call)).toMatchObject({ code: "E305" });
  });
});

const id4 = "01890000-0000-4000-8000-00000000000A";
/** Texts at the borders of the contract's checks: lengths, case, spaces, patterns. */
const texts = [
  "",
  "a",
  " a ",
  "A-b",
  id,
  id4,
  "2026-11-24T03:00:00.000Z",
  "-name",
  "12",
  "__proto__",
];

/** Values that have a shape, and some that do not. */
function valuesOf(shapes: readonly Shape[], place: number, depth = 0): fc.Arbitrary<unknown> {
  const shape = shapes[place];
  const inner = (other: number) => valuesOf(shapes, other, depth + 1);
  if (shape === undefined || depth > 8) return fc.anything();
  switch (shape.is) {
    case "text":
      return fc.oneof(fc.constantFrom(...texts), ...matching(shape.patterns));
    case "number":
      return fc.oneof(fc.integer({ min: -1, max: 600 }), fc.double(), fc.constant("5"));
    case "boolean":
      return fc.boolean();
    case "one of":
      return fc.constantFrom(...shape.values);
    case "optional":
    case "default":
      return fc.option(inner(shape.inner), { nil: undefined });
    case "nullable":
      return fc.option(inner(shape.inner), { nil: null });
    case "either":
      return fc.oneof(...shape.options.map(inner));
    case "list":
      return fc.array(inner(shape.items), { maxLength: 2 });
    case "map":
      return fc.dictionary(fc.constantFrom("a", "b", "items"), inner(shape.values));
    case "object": {
      const members = Object.entries(shape.members).map(([name, other]) => [name, inner(other)]);
      const known = fc.record(Object.fromEntries(members));
      const more = fc.record(
        { createdAt: fc.nat(), other: fc.option(fc.string(), { nil: undefined }) },
        { requiredKeys: [] },
      );
      const isOdd = fc.integer({ min: 0, max: 15 }).map((number) => number === 0);
      return fc
        .tuple(known, more, isOdd)
        .map(([value, others, odd]) => (odd ? { ...value, ...others } : value));
    }
    default:
      return fc.jsonValue();
  }
}

function matching(patterns: TextShape["patterns"] = []): fc.Arbitrary<string>[] {
  // The library makes no texts for assertions such as `(?!…)`, and none that ignore case.
  return patterns
    .slice(0, 1)
    .flatMap(([source]) =>
      /\(\?[!=<]/.test(source) ? [] : [fc.stringMatching(new RegExp(source))],
    );
}

interface Part {
  readonly place: number;
  readonly shapes: readonly Shape[];
  readonly schema: z.ZodType;
}

/** Each part of a request or answer that has a schema. */
async function partsOf(direction: Direction): Promise<Part[]> {
  const routes = domainNames.flatMap((domain) =>
    Object.keys(domainTable(domain).routes).map((name) => clientRoute(domain, name)),
  );
  const parts = routes.map(async (route) => {
    const definition = await route.definition();
    await route.loadShapes();
    const [plain, whole] =
      direction === "sent"
        ? [
            { ...route.body, params: route.params, query: route.query },
            { ...definition.body, params: definition.params, query: definition.query },
          ]
        : [
            { ...route.reply, events: route.events, alternative: route.alternative },
            { ...definition.reply, events: definition.events, alternative: definition.alternative },
          ];
    const schemas = new Map<string, unknown>(Object.entries(whole));
    return Object.entries(plain).flatMap(([name, place]) => {
      const schema = schemas.get(name);
      return typeof place === "number" && isSchema(schema)
        ? [{ place, shapes: route.shapes, schema }]
        : [];
    });
  });
  return (await Promise.all(parts)).flat();
}

function isSchema(value: unknown): value is z.ZodType {
  return typeof value === "object" && value !== null && "safeParse" in value;
}

describe("a plain value is what the schema makes of it", () => {
  it("in every part of a request", async () => {
    let count = 0;
    for (const { place, shapes, schema } of await partsOf("sent")) {
      const values = new PlainValues(shapes, "sent");
      const property = fc.property(valuesOf(shapes, place), (value) => {
        const plain = values.read(place, value);
        if (plain === unclear) return;
        count += 1;
        const parsed = sentForm(schema).safeParse(value);
        expect(parsed.success && JSON.stringify(parsed.data)).toBe(JSON.stringify(plain));
      });
      fc.assert(property, { numRuns: 25, seed: 29 });
    }
    expect(count).toBeGreaterThan(1_000);
  });

  it("in every answer", async () => {
    let count = 0;
    for (const { place, shapes, schema } of await partsOf("received")) {
      const values = new PlainValues(shapes, "received");
      const property = fc.property(valuesOf(shapes, place), (given) => {
        const value: unknown = JSON.parse(JSON.stringify(given) ?? "null");
        if (values.read(place, value) === unclear) return;
        count += 1;
        const reading = readAnswer(schema, value);
        expect(reading.fits && reading.value).toBe(value);
      });
      fc.assert(property, { numRuns: 25, seed: 29 });
    }
    expect(count).toBeGreaterThan(1_000);
  });
});
