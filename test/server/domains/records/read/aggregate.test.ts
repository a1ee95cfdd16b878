import fc from "fast-check";
import { expect, test } from "vitest";
import type { AggregateAnswer, Aggregation, Metric } from "#contract/resources/reads/aggregate.ts";
import type { JsonObject } from "#contract/values.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { definition, type RecordServices, typedWorkspace } from "#test/support/records.ts";

const slug = "thing";
const thing = definition({
  properties: {
    name: { type: "string", indexed: true },
    note: { type: "string" },
    amount: { type: "number", indexed: true },
    count: { type: "integer", indexed: true },
    level: { type: "enum", enum: [1, "one", 2] },
    flag: { type: "boolean", indexed: true },
    day: { type: "date", indexed: true },
    tags: { type: "array", items: { type: "string" } },
    address: { type: "object", properties: { city: { type: "string" } } },
    free: { type: "object" },
  },
});

const texts = fc.constantFrom("", "a", "b", "B", "ä", "\uffee", "😀", "null", "1");
const numbers = fc.constantFrom(0, 1, -1, 2.5, 0.1, 0.2, 1e15, 123_456_789.25);
const record = fc.record(
  {
    name: fc.oneof(texts, fc.constant(null)),
    note: texts,
    amount: fc.oneof(numbers, fc.constant(null)),
    count: fc.constantFrom(0, 1, 2, 9_007_199_254_740_991),
    level: fc.constantFrom(1, "one", 2),
    flag: fc.boolean(),
    day: fc.constantFrom("2026-01-01", "2026-11-21"),
    tags: fc.array(fc.constantFrom("x", "y"), { maxLength: 2 }),
    address: fc.record({ city: texts }, { requiredKeys: [] }),
    free: fc.record({ any: fc.oneof(texts, numbers, fc.boolean()) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

const groupFields = fc.constantFrom(
  "name",
  "note",
  "amount",
  "count",
  "level",
  "flag",
  "day",
  "tags",
  "address.city",
  "free.any",
  "version",
);
const numericFields = fc.constantFrom("amount", "count", "version", "free.any");
const orderedFields = fc.constantFrom(
  "name",
  "note",
  "amount",
  "count",
  "level",
  "flag",
  "day",
  "free.any",
);
const metrics: fc.Arbitrary<Metric> = fc.oneof(
  fc.record({ op: fc.constant<"count">("count") }),
  fc.record({ op: fc.constantFrom<Metric["op"]>("count", "count_distinct"), field: groupFields }),
  fc.record({ op: fc.constantFrom<Metric["op"]>("sum", "avg"), field: numericFields }),
  fc.record({ op: fc.constantFrom<Metric["op"]>("min", "max"), field: orderedFields }),
);
const aggregations = fc.record({
  groupBy: fc.uniqueArray(groupFields, { maxLength: 2 }),
  metrics: fc
    .array(metrics, { minLength: 1, maxLength: 4 })
    .map((list) => Object.fromEntries(list.map((metric, at) => [`m${at}`, metric]))),
});

/** The value of a field; null for none. */
function valueAt(data: JsonObject, name: string): unknown {
  if (name === "version") return 1;
  let value: unknown = data;
  for (const step of name.split(".")) {
    value =
      typeof value === "object" && value !== null
        ? new Map<string, unknown>(Object.entries(value)).get(step)
        : undefined;
  }
  return value ?? null;
}

const ranks = new Map([
  ["number", 1],
  ["string", 2],
  ["object", 4],
  ["boolean", 5],
]);

function compare(one: unknown, other: unknown): number {
  const rank = (value: unknown): number => (value === null ? 0 : (ranks.get(typeof value) ?? 0));
  if (rank(one) !== rank(other)) return rank(one) - rank(other);
  if (typeof one === "number" && typeof other === "number") return one - other;
  const bytes = (value: unknown): Buffer =>
    Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
  return Buffer.compare(bytes(one), bytes(other));
}

function figure({ op, field }: Metric, records: readonly JsonObject[]): unknown {
  if (field === undefined) return records.length;
  const values = records.map((data) => valueAt(data, field)).filter((value) => value !== null);
  if (op === "count") return values.length;
  if (op === "count_distinct") return new Set(values.map((value) => JSON.stringify(value))).size;
  const sorted = values.toSorted(compare);
  if (op === "min") return sorted[0] ?? null;
  if (op === "max") return sorted.at(-1) ?? null;
  const figures = values.filter((value) => typeof value === "number");
  // Exact in units of 1/1000, which all of the numbers are.
  const sum = figures.reduce((all, value) => all + BigInt(Math.round(value * 1000)), 0n);
  if (op === "avg" && figures.length === 0) return null;
  return Number(sum) / 1000 / (op === "avg" ? figures.length : 1);
}

/** Computes the groups with a loop over all records. */
function folded(
  records: readonly JsonObject[],
  { groupBy, metrics: wanted }: Aggregation,
): AggregateAnswer["rows"] {
  const groups = new Map<string, { group: unknown[]; members: JsonObject[] }>();
  if (groupBy.length === 0) groups.set("[]", { group: [], members: [] });
  for (const data of records) {
    const group = groupBy.map((name) => valueAt(data, name));
    const key = JSON.stringify(group);
    const known = groups.get(key) ?? { group, members: [] };
    known.members.push(data);
    groups.set(key, known);
  }
  return [...groups.values()]
    .toSorted((one, other) => {
      for (const [at, value] of one.group.entries()) {
        const order = compare(value, other.group[at]);
        if (order !== 0) return order;
      }
      return 0;
    })
    .map(({ group, members }) => ({
      group: Object.fromEntries(groupBy.map((name, at) => [name, group[at]])),
      metrics: Object.fromEntries(
        Object.entries(wanted).map(([name, metric]) => [name, figure(metric, members)]),
      ),
    }));
}

/** Metrics may differ by rounding: the loop adds in another order. */
function expectRows(rows: AggregateAnswer["rows"], wanted: AggregateAnswer["rows"]): void {
  expect(rows.map(({ group }) => group)).toEqual(wanted.map(({ group }) => group));
  for (const [at, { metrics: figures }] of wanted.entries()) {
    const found = rows[at]?.metrics ?? {};
    const near = Object.entries(figures).map(([name, value]) => {
      const other = found[name];
      const isNear =
        typeof value === "number" &&
        typeof other === "number" &&
        Math.abs(value - other) <= Math.abs(value) * 1e-13;
      return [name, isNear ? other : value];
    });
    expect(found).toEqual(Object.fromEntries(near));
  }
}

describeOnEachDatabase("an aggregate", (open) => {
  const signal = AbortSignal.timeout(60_000);

  async function fill(records: readonly JsonObject[]): Promise<{
    services: RecordServices;
    workspaceId: string;
    ask(wanted: Partial<Aggregation>): Promise<AggregateAnswer>;
  }> {
    const { workspace: workspaceId, ...services } = await typedWorkspace(await open(), thing);
    const made = await services.resources.batch.create(
      services.work,
      { workspaceId, slug },
      { items: records, isAtomic: true, namesRecords: false, placeOf: (index) => [index] },
    );
    expect(made.failed).toBe(0);
    return {
      services,
      workspaceId,
      ask: (wanted) =>
        services.resources.aggregate(
          services.work,
          { workspaceId, slug },
          { groupBy: [], metrics: { n: { op: "count" } }, ...wanted },
          signal,
        ),
    };
  }

  test("says what a loop over all records says", async () => {
    const records = fc.sample(record, { numRuns: 150, seed: 7 });
    const { ask } = await fill(records);
    await fc.assert(
      fc.asyncProperty(aggregations, async (wanted) => {
        const { rows, truncated } = await ask(wanted);
        expect(truncated).toBe(false);
        expectRows(rows, folded(records, wanted));
      }),
      { numRuns: 150 },
    );
  });

  test("looks only at what passes the filter", async () => {
    const records = fc.sample(record, { numRuns: 100, seed: 8 });
    const { ask } = await fill(records);
    const wanted = { groupBy: ["day"], metrics: { n: { op: "count" as const } } };
    const { rows } = await ask({ ...wanted, where: { name: { $in: ["a", "b"] }, flag: true } });
    const fitting = records.filter(
      ({ name, flag }) => flag === true && (name === "a" || name === "b"),
    );
    expect(rows).toEqual(folded(fitting, wanted));
  });

  test("gives the first groups, and says that there are more", async () => {
    const { ask } = await fill(["c", "a", "b", null].map((name) => ({ name })));
    expect(await ask({ groupBy: ["name"], limit: 2 })).toEqual({
      rows: [
        { group: { name: null }, metrics: { n: 1 } },
        { group: { name: "a" }, metrics: { n: 1 } },
      ],
      truncated: true,
    });
    expect((await ask({ groupBy: ["name"], limit: 4 })).truncated).toBe(false);
  });

  test("groups by an index what also no longer fits its property, and every digit of a number", async () => {
    const numbers = [0.1 + 0.2, 5e-324, -1.234567890123456e300, 1 / 3, -0.5].concat(
      // Whole numbers that a double holds: what is safe, what 64 bits hold, what they don't.
      [2 ** 53 - 1, 2 ** 53, 1e16, -(2 ** 62), 2 ** 63],
    );
    const { services, workspaceId, ask } = await fill(numbers.map((amount) => ({ amount })));
    const figures = {
      n: { op: "count" },
      different: { op: "count_distinct", field: "amount" },
      least: { op: "min", field: "amount" },
    } as const;
    const groups = numbers
      .toSorted((one, other) => one - other)
      .map((amount) => ({ group: { amount }, metrics: { n: 1, different: 1, least: amount } }));
    expect((await ask({ groupBy: ["amount"], metrics: figures })).rows).toEqual(groups);

    const [stored] = (await services.objectTypes.list(services.work, workspaceId, {})).items;
    await services.objectTypes.update(services.work, workspaceId, stored?.id ?? "", {
      properties: { ...thing.properties, amount: { type: "string", indexed: true } },
      version: 1,
    });
    await services.indexes.settled();
    const data = { amount: "text" };
    await services.resources.create(services.work, workspaceId, slug, data);
    expect((await ask({ groupBy: ["amount"], metrics: figures })).rows).toEqual([
      ...groups,
      { group: data, metrics: { n: 1, different: 1, least: "text" } },
    ]);
    expect((await ask({ metrics: { n: { op: "count_distinct", field: "amount" } } })).rows).toEqual(
      [{ group: {}, metrics: { n: numbers.length + 1 } }],
    );
  });

  test("takes objects for equal whatever the order of their names", async () => {
    const any = [
      { a: 1, b: [{ c: 0.1 + 0.2, d: "x" }] },
      { b: [{ d: "x", c: 0.1 + 0.2 }], a: 1 },
      { a: 1, b: [{ c: 0.3, d: "x" }] },
      { a: "1", b: [{ c: 0.3, d: "x" }] },
      { a: 1, b: { 0: { c: 0.3, d: "x" } } },
      [{ a: 1, b: 2 }, null],
      [{ b: 2, a: 1 }, null],
      [null, { a: 1, b: 2 }],
      '{"a":1}',
      { a: 1 },
    ];
    // Other groups make no difference.
    const { ask } = await fill(
      any.map((value, at) => ({ free: { ...(at % 2 === 0 ? { beside: true } : {}), any: value } })),
    );
    const different = { op: "count_distinct", field: "free.any" } as const;
    const n = { op: "count" } as const;
    expect((await ask({ metrics: { different } })).rows[0]?.metrics).toEqual({ different: 8 });
    const { rows } = await ask({ groupBy: ["free.any"], metrics: { n, different } });
    expect(rows.every(({ metrics: { different: one } }) => one === 1)).toBe(true);
    expect(rows.length).toBe(8);
    expect(
      rows.flatMap(({ group, metrics: { n: members } }) => (members === 2 ? [group] : [])),
    ).toEqual([{ "free.any": any[0] }, { "free.any": any[5] }]);
  });

  test("of no records has no groups, and one row without groups", async () => {
    const { ask } = await fill([]);
    const wanted = {
      n: { op: "count" },
      sum: { op: "sum", field: "amount" },
      avg: { op: "avg", field: "amount" },
      min: { op: "min", field: "name" },
    } as const;
    expect((await ask({ metrics: wanted, groupBy: ["name"] })).rows).toEqual([]);
    expect((await ask({ metrics: wanted })).rows).toEqual([
      { group: {}, metrics: { n: 0, sum: 0, avg: null, min: null } },
    ]);
  });

  test("adds decimals as people do, and has no sum beyond all numbers", async () => {
    const { ask } = await fill([{ amount: 0.1 }, { amount: 0.2 }]);
    const sum = { total: { op: "sum", field: "amount" } } as const;
    expect((await ask({ metrics: sum })).rows).toEqual([{ group: {}, metrics: { total: 0.3 } }]);
    const huge = await fill(
      Array.from({ length: 200 }, () => ({ amount: 1e307, count: 2 ** 53 - 1 })),
    );
    const { rows } = await huge.ask({ metrics: { ...sum, most: { op: "max", field: "count" } } });
    expect(rows).toEqual([{ group: {}, metrics: { total: null, most: 9_007_199_254_740_991 } }]);
  });
});
