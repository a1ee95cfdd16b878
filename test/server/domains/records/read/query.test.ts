import { expect, test } from "vitest";
import { apiCases, pointersOf, type ApiCase } from "#test/support/api-cases.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { base, ensureLedger } from "../routes/ledger.ts";

const path = `${base}/query`;

const cat = {
  name: "Cat",
  slug: "cat",
  properties: {
    name: { type: "string", indexed: true },
    weight: { type: "number", indexed: true },
    age: { type: "integer" },
    collar: { type: "string" },
  },
};
const dog = {
  name: "Dog",
  slug: "dog",
  properties: {
    name: { type: "string" },
    weight: { type: "number" },
    age: { type: "integer", indexed: true },
    collar: { type: "boolean" },
  },
};

const cats = [
  { name: "Ada", weight: 3.5, age: 2 },
  { name: "é", weight: 4 },
  { name: "Zoe", age: 1 },
];
const dogs = [
  { name: "Ada", weight: 20, age: 9 },
  { name: "😀", weight: 3.5, age: 2 },
  { name: "\uffee", weight: 4, age: 5 },
  { weight: 30 },
];

const filled = new WeakSet<TestPlatform>();

async function fill(the: TestPlatform): Promise<void> {
  await ensureLedger(the);
  if (filled.has(the)) return;
  filled.add(the);
  const { tenant } = the.workspaces;
  const user = the.as("tenant-builder");
  for (const [type, records] of [
    [cat, cats],
    [dog, dogs],
  ] as const) {
    const headers = { "x-tenant-id": tenant };
    expect((await user.post("/v4/data/resources/object-types", type, { headers })).status).toBe(
      201,
    );
    const place = `/v4/data/resources/${tenant}/${type.slug}/batch/create`;
    expect((await user.post(place, records)).status).toBe(200);
  }
}

function asked(name: string, body: object, expected: ApiCase["expect"]): ApiCase {
  return { name, as: "tenant-viewer", method: "POST", path, body, before: fill, expect: expected };
}

function namesOf(json: unknown): string[] {
  const items = field(json, "items");
  if (!Array.isArray(items)) return [];
  return items.map(
    (item) => `${String(field(item, "type"))} ${String(field(field(item, "data"), "name"))}`,
  );
}

describePlatform("a query over Object Types", (the) => {
  const orders: [string, object, string[]][] = [
    [
      "the newest first",
      {},
      ["dog undefined", "dog \uffee", "dog 😀", "dog Ada", "cat Zoe", "cat é", "cat Ada"],
    ],
    ["the oldest first", { sort: "created_at", limit: 2 }, ["cat Ada", "cat é"]],
    [
      "by text as people read it, those without a value first",
      { sort: "name" },
      ["dog undefined", "cat Ada", "dog Ada", "cat é", "cat Zoe", "dog \uffee", "dog 😀"],
    ],
    [
      "by text in code point order, those without a value first",
      { sort: "name", collation: "binary" },
      ["dog undefined", "cat Ada", "dog Ada", "cat Zoe", "cat é", "dog \uffee", "dog 😀"],
    ],
    [
      "by number, descending, with a second field",
      { sort: "-weight,name" },
      ["dog undefined", "dog Ada", "cat é", "dog \uffee", "cat Ada", "dog 😀", "cat Zoe"],
    ],
    [
      "those that pass the filter",
      { where: { $or: [{ name: "Ada" }, { age: { $lt: 3 } }] }, sort: "age" },
      ["cat Zoe", "cat Ada", "dog 😀", "dog Ada"],
    ],
  ];
  test.each(orders)("gives %s", async (_name, body, names) => {
    await fill(the());
    const place = `/v4/data/resources/${the().workspaces.tenant}/query`;
    const viewer = the().as("tenant-viewer");
    const whole = await viewer.post(place, { types: ["cat", "dog"], ...body });
    expect(whole.status).toBe(200);
    expect(namesOf(whole.json)).toEqual(names);
    // Pages of one record with cursors give the same list.
    const walked: string[] = [];
    let cursor: unknown;
    do {
      const page = await viewer.post(place, {
        types: ["cat", "dog"],
        ...body,
        limit: 1,
        ...(cursor === undefined ? {} : { cursor }),
      });
      walked.push(...namesOf(page.json));
      cursor = field(page.json, "nextCursor") ?? undefined;
    } while (cursor !== undefined && walked.length < names.length);
    expect(walked).toEqual(names);
  });

  test("continues after a value that is too long for a cursor", async () => {
    await fill(the());
    const place = `/v4/data/resources/${the().workspaces.tenant}`;
    const long = (letter: string): object => ({ collar: letter.repeat(3000) });
    const user = the().as("tenant-staff");
    const made = await user.post(`${place}/cat/batch/create`, ["x", "y", "z"].map(long));
    const ids = (field(made.json, "results") as unknown[]).map((one) => String(field(one, "id")));
    const body = {
      types: ["cat"],
      where: { collar: { $exists: true } },
      sort: "collar",
      limit: 1,
      collation: "binary",
    };
    const first = await user.post(`${place}/query`, body);
    const cursor = field(first.json, "nextCursor");
    const second = await user.post(`${place}/query`, { ...body, cursor });
    expect(field(second.json, "items")).toMatchObject([{ id: ids[1] }]);
    await user.post(`${place}/cat/batch/delete`, { ids });
    const gone = await user.post(`${place}/query`, { ...body, cursor });
    expect([gone.status, pointersOf(gone.json)]).toEqual([422, ["#/cursor"]]);
  });

  apiCases(the, [
    asked(
      "lists a type that is given twice once",
      { types: ["cat", "cat"] },
      {
        status: 200,
        body: { limit: 20, hasNextPage: false, nextCursor: null, items: [{}, {}, {}] },
      },
    ),
    asked(
      "refuses types that are not there",
      { types: ["cat", "cow", "Dog"] },
      {
        status: 422,
        code: "validation-failed",
        pointers: ["#/types/1", "#/types/2"],
      },
    ),
    asked(
      "refuses an unknown operator",
      { types: ["cat"], where: { name: { $like: "A" } } },
      {
        status: 422,
        pointers: ["#/where/name/$like"],
      },
    ),
    asked(
      "refuses an order that a type has not",
      { types: ["cat", "ledger"], sort: "weight" },
      {
        status: 422,
        pointers: ["#/sort"],
      },
    ),
    asked(
      "refuses an order of two kinds",
      { types: ["cat", "dog"], sort: "collar" },
      {
        status: 422,
        pointers: ["#/sort"],
        body: { detail: "#/sort has values of different kinds in cat and dog" },
      },
    ),
    asked(
      "refuses a foreign cursor",
      { types: ["cat"], cursor: "abc.def" },
      {
        status: 422,
        pointers: ["#/cursor"],
      },
    ),
    asked(
      "refuses more than 500",
      { types: ["cat"], limit: 501 },
      {
        status: 422,
        pointers: ["#/limit"],
      },
    ),
    asked(
      "refuses no types, and what it does not know",
      { types: [], page: 2 },
      {
        status: 422,
        pointers: ["#/types", "#/page"],
      },
    ),
    asked("refuses a body without types", {}, { status: 422, pointers: ["#/types"] }),
  ]);
});
