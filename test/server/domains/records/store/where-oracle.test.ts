import fc from "fast-check";
import { Query } from "mingo";
import { expect, test } from "vitest";
import type { JsonObject } from "#contract/values.ts";
import type { CompiledType } from "#server/domains/object-types/compiled-type.ts";
import { listRecords } from "#server/domains/records/store/read/record-pages.ts";
import { creationOrder } from "#server/domains/records/store/read/sort.ts";
import { parseWhere } from "#server/domains/records/where/record-filter.ts";
import { describeOnEachDatabase, type WholeDatabase } from "#test/support/databases.ts";
import { sized } from "#test/support/size.ts";
import { definition, resourceIn, typedWorkspace } from "#test/support/records.ts";

/**
 * Filters mean what MongoDB means: hundreds of generated filters on generated records, with the
 * mingo library as oracle. Left out is where mingo itself differs from MongoDB (it flattens paths
 * through lists before it compares lists in lists, looks for null or asks `$exists`);
 * `where.test.ts` has those as cases.
 */

const thing = definition({
  properties: {
    name: { type: "string", indexed: true },
    code: { type: "string", unique: true },
    amount: { type: "number", indexed: true },
    count: { type: "integer" },
    note: { type: "text" },
    flag: { type: "boolean", indexed: true },
    plain: { type: "boolean" },
    day: { type: "date", indexed: true },
    tags: { type: "array", items: { type: "string" } },
    marks: { type: "array", items: { type: "number" } },
    address: {
      type: "object",
      properties: { city: { type: "string" }, floor: { type: "integer" } },
    },
    lines: {
      type: "array",
      items: {
        type: "object",
        properties: {
          sku: { type: "string" },
          quantity: { type: "integer" },
          sizes: { type: "array", items: { type: "integer" } },
        },
      },
    },
    deep: {
      type: "object",
      properties: {
        level: { type: "number" },
        rows: {
          type: "array",
          items: {
            type: "object",
            properties: { kind: { type: "string" }, at: { type: "datetime" } },
          },
        },
      },
    },
    at: { type: "datetime", indexed: true },
    free: { type: "object" },
  },
});

const texts = fc.constantFrom(
  "",
  "a",
  "b",
  "ab",
  "aB",
  "B",
  "ba",
  "ä",
  "z",
  "1",
  "true",
  "{",
  "[]",
);
const numbers = fc.constantFrom(-2, -1.5, 0, 1, 1.5, 2, 10, 1e21, 0.1);
const integers = fc.constantFrom(-2, 0, 1, 2, 10);
const days = fc.constantFrom("2026-01-01", "2026-06-30", "2026-12-31");
/** Times in their stored form, since mingo compares texts. */
const times = fc.constantFrom("2026-01-01T00:00:00.000Z", "2026-06-30T12:00:00.500Z");
const optional = <Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | null | undefined> =>
  fc.oneof(
    { weight: 6, arbitrary: values },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );

const freeValue = fc.oneof(texts, numbers, fc.boolean(), fc.constant(null));
const free = fc.oneof(
  fc.dictionary(fc.constantFrom("x", "y"), freeValue, { maxKeys: 2 }),
  fc.record({ x: fc.dictionary(fc.constantFrom("y", "z"), freeValue, { maxKeys: 2 }) }),
  fc.record({ x: fc.array(fc.oneof(texts, numbers, fc.boolean()), { maxLength: 3 }) }),
);

const data = fc.record({
  name: optional(texts),
  amount: optional(numbers),
  count: optional(integers),
  note: optional(texts),
  flag: optional(fc.boolean()),
  plain: optional(fc.boolean()),
  day: optional(days),
  tags: optional(fc.array(texts, { maxLength: 3 })),
  marks: optional(fc.array(numbers, { maxLength: 3 })),
  address: optional(fc.record({ city: optional(texts), floor: optional(integers) })),
  lines: optional(
    fc.array(
      fc.record({
        sku: optional(texts),
        quantity: optional(integers),
        sizes: optional(fc.array(integers, { maxLength: 2 })),
      }),
      { maxLength: 3 },
    ),
  ),
  deep: optional(
    fc.record({
      level: optional(numbers),
      rows: optional(
        fc.array(fc.record({ kind: optional(texts), at: optional(times) }), { maxLength: 3 }),
      ),
    }),
  ),
  at: optional(times),
  free: optional(free),
});

const operand = fc.oneof(
  { weight: 3, arbitrary: texts },
  { weight: 3, arbitrary: numbers },
  { weight: 1, arbitrary: fc.boolean() },
  { weight: 2, arbitrary: fc.oneof(days, times) },
);
const patterns = fc.constantFrom("a", "^a", "b$", "^ab$", "[ab]+", "^.$", "A|ä", "(a|b){2}", "\\w");
const positive = fc.oneof(
  operand,
  operand.map((value) => ({ $eq: value })),
  operand.map((value) => ({ $ne: value })),
  fc
    .tuple(fc.constantFrom("$gt", "$gte", "$lt", "$lte"), operand)
    .map(([name, value]) => ({ [name]: value })),
  fc
    .tuple(fc.constantFrom("$in", "$nin"), fc.array(operand, { maxLength: 4 }))
    .map(([name, values]) => ({ [name]: values })),
  fc
    .tuple(patterns, fc.constantFrom("", "i"))
    .map(([source, flags]) =>
      flags === "" ? { $regex: source } : { $regex: source, $options: flags },
    ),
  texts.map((text) => ({ $contains: text })),
  texts.map((text) => ({ $startsWith: text })),
);
/** Adds null, `$exists` and `$size`, for paths without a list on the way. */
const anyTest = fc.oneof(
  { weight: 6, arbitrary: positive },
  { weight: 1, arbitrary: fc.constantFrom(null, { $eq: null }, { $ne: null }) },
  { weight: 1, arbitrary: fc.boolean().map((value) => ({ $exists: value })) },
  { weight: 1, arbitrary: operand.map((value) => ({ $in: [null, value] })) },
  { weight: 1, arbitrary: operand.map((value) => ({ $nin: [value, null] })) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 }).map((length) => ({ $size: length })) },
);
const combined = (tests: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 5, arbitrary: tests },
    {
      weight: 1,
      arbitrary: tests
        .filter((wanted) => typeof wanted === "object" && wanted !== null)
        .map((wanted) => ({ $not: wanted })),
    },
    { weight: 1, arbitrary: fc.constant({ $gte: 0, $lt: 2 }) },
  );

const simplePath = fc.constantFrom(
  "name",
  "amount",
  "count",
  "note",
  "flag",
  "plain",
  "day",
  "tags",
  "marks",
  "version",
  "address.city",
  "address.floor",
  "deep.level",
  "at",
  "free.x",
  "unknown",
  "unknown.deep",
);
const listPath = fc.constantFrom(
  "lines.sku",
  "lines.quantity",
  "lines.1.sku",
  "deep.rows.kind",
  "deep.rows.at",
  "free.x.y",
  "free.x.y.z",
  "free.x.0",
  "tags.0",
);
const whole = fc.oneof(
  fc.tuple(
    fc.constantFrom("tags", "marks", "free.x"),
    fc.array(fc.oneof(texts, numbers), { maxLength: 2 }),
  ),
  fc.tuple(
    fc.constant("address"),
    fc.record({ floor: integers, city: texts }, { requiredKeys: ["city"] }),
  ),
  fc.tuple(fc.constant("free"), fc.dictionary(fc.constantFrom("x", "y"), freeValue)),
);
/** Lists and objects also of paths that hold plain values. mingo finds no whole list by `$in`. */
const wholeObject = fc.dictionary(fc.constantFrom("x", "y", "city"), freeValue, { maxKeys: 2 });
const wholeValue = fc.oneof(fc.array(fc.oneof(texts, numbers), { maxLength: 2 }), wholeObject);
const wholeOfAny = fc.tuple(
  simplePath,
  fc.oneof(
    wholeValue.map((value) => ({ $eq: value })),
    wholeValue.map((value) => ({ $ne: value })),
    wholeValue.map((value) => ({ $not: { $eq: value } })),
    fc
      .tuple(
        fc.constantFrom("$in", "$nin"),
        fc.array(fc.oneof(operand, wholeObject), { maxLength: 3 }),
      )
      .map(([name, values]) => ({ [name]: values })),
  ),
);
const kinds = fc.constantFrom("string", "number", "bool", "object", "array", "null");
/** mingo asks `$all` of lists only, and `$type` of no list's items. */
const kindOrAll = fc.oneof(
  fc.tuple(
    fc.constantFrom("name", "amount", "count", "flag", "plain", "at", "address", "free", "lines.0"),
    fc.oneof(kinds, fc.tuple(kinds, kinds)).map((wanted) => ({ $type: wanted })),
  ),
  fc.tuple(
    fc.constantFrom("tags", "marks"),
    fc.array(fc.oneof(texts, numbers), { maxLength: 2 }).map((values) => ({ $all: values })),
  ),
);
/** Only outermost lists: mingo flattens nested ones. */
const element = fc.oneof(
  fc.tuple(
    fc.constantFrom("tags", "marks", "free.x"),
    fc.oneof(
      operand.map((value) => ({ $eq: value })),
      fc.tuple(numbers, numbers).map(([low, high]) => ({ $gte: low, $lt: high })),
      fc.array(operand, { maxLength: 3 }).map((values) => ({ $nin: values })),
      patterns.map((source) => ({ $not: { $regex: source } })),
    ),
  ),
  fc.tuple(
    fc.constant("lines"),
    fc.record({ sku: anyTest, quantity: anyTest, sizes: positive }, { requiredKeys: [] }),
  ),
  fc.tuple(
    fc.constant("deep.rows"),
    fc
      .tuple(fc.constantFrom("$and", "$or", "$nor"), anyTest, positive)
      .map(([name, kind, at]) => ({ [name]: [{ kind }, { at }] })),
  ),
);
/** Integers, which mingo does not truncate, and never 0, which it takes null for. */
const remainder = fc.tuple(
  fc.constantFrom("count", "version", "address.floor", "lines.quantity"),
  fc
    .tuple(fc.constantFrom(-3, 2, 4, 10), fc.constantFrom(-2, -1, 1, 2))
    .map((operand) => ({ $mod: operand })),
);
const field = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(simplePath, combined(anyTest)) },
  { weight: 2, arbitrary: fc.tuple(listPath, combined(positive)) },
  { weight: 1, arbitrary: whole },
  { weight: 1, arbitrary: wholeOfAny },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.oneof(
          kindOrAll,
          remainder,
          element.map(([path, wanted]): [string, object] => [path, { $elemMatch: wanted }]),
        ),
        fc.boolean(),
      )
      .map(([[path, wanted], isNegated]): [string, unknown] => [
        path,
        isNegated ? { $not: wanted } : wanted,
      ]),
  },
);
const filter = fc.letrec<{ filter: JsonObject }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    field.map(([path, wanted]) => ({ [path]: wanted })),
    fc.array(field, { minLength: 1, maxLength: 3 }).map((fields) => Object.fromEntries(fields)),
    fc
      .tuple(
        fc.constantFrom("$and", "$or", "$nor"),
        fc.array(tie("filter"), { minLength: 1, maxLength: 3 }),
      )
      .map(([name, filters]) => ({ [name]: filters })),
  ),
})).filter;

describeOnEachDatabase("where, compared with mingo", (open) => {
  test(
    "finds what mingo finds, for hundreds of filters on 200 records",
    { timeout: 120_000 },
    async () => {
      const { type, records, database } = await setUp();
      await fc.assert(
        fc.asyncProperty(filter, async (where) => {
          const query = new Query(forMingo(where));
          const found = new Set(await idsWhere(database, type, where));
          const differing = records.filter(
            (record) => query.test(record) !== found.has(String(record["id"])),
          );
          expect({ where, differing: differing.slice(0, 2) }).toEqual({ where, differing: [] });
        }),
        { numRuns: sized(600, 2_000) },
      );
    },
  );

  async function setUp(): Promise<{
    type: CompiledType;
    records: JsonObject[];
    database: WholeDatabase;
  }> {
    const { workspace, ...services } = await typedWorkspace(await open(), thing);
    const records: JsonObject[] = [];
    const samples = fc.sample(data, { numRuns: 200, seed: 20261121 });
    for (const [index, sample] of samples.entries()) {
      const given = JSON.parse(JSON.stringify({ ...sample, code: `C-${index}` })) as JsonObject;
      const made = await services.resources.create(services.work, workspace, "thing", given);
      // mingo is shown a record as filters see it: system fields next to the data.
      const { data: kept, type: _type, ...system } = resourceIn(made);
      records.push({ ...kept, ...system });
    }
    const type = await services.objectTypes.find(workspace, "thing");
    if (type === undefined) throw new Error("the type is gone");
    return { type, records, database: services.database };
  }
});

async function idsWhere(
  database: WholeDatabase,
  type: CompiledType,
  where: JsonObject,
): Promise<string[]> {
  const parsed = parseWhere(where, ["where"]);
  expect(parsed.faults).toBeUndefined();
  const { condition } = parsed.faults === undefined ? parsed : {};
  const { records } = await listRecords(database, {
    type,
    condition,
    keys: creationOrder(),
    after: undefined,
    offset: 0,
    limit: 1_000,
  });
  return records.map(({ id }) => id);
}

/** mingo has neither `$contains` nor `$startsWith`: patterns say the same. */
function forMingo(where: unknown): JsonObject {
  return JSON.parse(
    JSON.stringify(where, (_key, value: unknown) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
      const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
        if (name === "$contains") return ["$regex", RegExp.escape(String(inner))];
        if (name === "$startsWith") return ["$regex", `^${RegExp.escape(String(inner))}`];
        return [name, inner];
      });
      return Object.fromEntries(entries);
    }),
  ) as JsonObject;
}
