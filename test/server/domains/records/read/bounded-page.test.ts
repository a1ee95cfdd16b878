import { beforeAll, expect, test } from "vitest";
import { maximumPageBytes } from "#contract/limits.ts";
import { listBody } from "#contract/lists.ts";
import { resource } from "#contract/resources/resources.ts";
import { describePlatform } from "#test/support/platform.ts";

const large = 900_000;
const count = 21;
const perPage = Math.floor(maximumPageBytes / large);

describePlatform("a page of large records", (the) => {
  const base = () => `/v4/data/resources/${the().workspaces.tenant}`;

  beforeAll(async () => {
    const admin = the().as("tenant-admin");
    const headers = { "x-tenant-id": the().workspaces.tenant };
    for (const slug of ["letter", "note"]) {
      const properties = { number: { type: "integer" }, text: { type: "text" } };
      const type = { name: `Large${slug}`, slug, properties };
      const made = await admin.post("/v4/data/resources/object-types", type, { headers });
      expect(made.status).toBe(201);
    }
    for (let number = 0; number < count; number += 1) {
      const slug = number % 3 === 2 ? "note" : "letter";
      const made = await admin.post(`${base()}/${slug}`, { number, text: "x".repeat(large) });
      expect(made.status).toBe(201);
    }
  });

  const follow = async (ask: (cursor: string | undefined) => Promise<unknown>) => {
    const numbers: unknown[] = [];
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const page = listBody(resource).parse(await ask(cursor));
      numbers.push(...page.items.map(({ data }) => data?.["number"]));
      sizes.push(page.items.length);
      expect(page.hasNextPage).toBe(page.nextCursor !== null);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return { numbers, sizes };
  };

  test.each(["", "&sort=number", "&sort=-number"])(
    "ends at 8 MiB, and its cursor leads to the next one%s",
    async (sort) => {
      const viewer = the().as("tenant-viewer");
      const { numbers, sizes } = await follow(async (cursor) => {
        const from = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
        return (await viewer.get(`${base()}/letter?limit=500${sort}${from}`)).json;
      });
      const all = Array.from({ length: count }, (_, number) => number).filter((n) => n % 3 !== 2);
      const isDescending = sort.endsWith("-number");
      const isSorted = sort !== "";
      expect(isSorted ? numbers : numbers.toSorted((a, b) => Number(a) - Number(b))).toEqual(
        isDescending ? all.toReversed() : all,
      );
      expect(sizes).toEqual([perPage, all.length - perPage]);
    },
  );

  test("of several types ends at 8 MiB too, in one order", async () => {
    const viewer = the().as("tenant-viewer");
    const { numbers, sizes } = await follow(async (cursor) => {
      const query = { types: ["letter", "note"], sort: "number", limit: 500 };
      const asked = { ...query, ...(cursor === undefined ? {} : { cursor }) };
      return (await viewer.post(`${base()}/query`, asked)).json;
    });
    expect(numbers).toEqual(Array.from({ length: count }, (_, number) => number));
    expect(sizes).toEqual([perPage, perPage, count - 2 * perPage]);
  });

  test("of many small records has as many as were asked for", async () => {
    const admin = the().as("tenant-admin");
    const items = Array.from({ length: 200 }, (_, number) => ({ number: 1_000 + number }));
    expect((await admin.post(`${base()}/note/batch/create`, { items })).status).toBe(200);
    const where = encodeURIComponent('{"number":{"$gte":1000}}');
    for (const sort of ["created_at", "number", "-number"]) {
      const path = `${base()}/note?limit=150&where=${where}&sort=${sort}`;
      const page = listBody(resource).parse((await admin.get(path)).json);
      const numbers = page.items.map(({ data }) => Number(data?.["number"]));
      expect(numbers).toHaveLength(150);
      expect(new Set(numbers).size).toBe(150);
      expect(page.hasNextPage).toBe(true);
      if (sort !== "created_at") {
        const expected = items.map(({ number }) => number);
        expect(numbers).toEqual(
          (sort === "number" ? expected : expected.toReversed()).slice(0, 150),
        );
      }
    }
  });
});
