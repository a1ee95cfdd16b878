import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { ResourceListQuery } from "#contract/resources/reads/selection.ts";
import { Refusal } from "#contract/problems.ts";
import type { JsonObject } from "#contract/values.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import {
  definition,
  newWorkspace,
  recordServices,
  type RecordServices,
} from "#test/support/records.ts";

const thing = definition({
  properties: {
    n: { type: "integer" },
    text: { type: "string" },
    textKey: { type: "string", indexed: true },
    number: { type: "number" },
    numberKey: { type: "number", indexed: true },
    flag: { type: "boolean" },
    flagKey: { type: "boolean", indexed: true },
    long: { type: "text" },
    inner: { type: "object", properties: { text: { type: "string" } } },
    tags: { type: "array", items: { type: "string" } },
  },
});

const ascii = ["", " ", "A", "B", "Z", "a", "ab", "b", "z", "[", "AB", 'a"b', "$a", "[0]", "x'\\"];
const texts = [...ascii, "Ä", "ä", "A\u0308", "Äb", "łódź", "Straße", "straßen", "\uffee", "😀"];
const textNames = ["text", "textKey", "inner.text"];
const numbers = [-1e21, -2, -1.5, 0, 0.1, 1, 2, 10, 1e21];

/** The letters of a text, found in another way than by the platform. */
function withoutMarks(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ł", "l");
}

describeOnEachDatabase("lists of records", (open) => {
  let services: RecordServices;
  const workspace = newWorkspace();

  function list(query: ResourceListQuery) {
    return services.resources.list(services.work, workspace, "thing", query);
  }

  /** All of `n`, page after page by cursor. */
  async function walk(
    query: ResourceListQuery,
    between?: () => Promise<unknown>,
  ): Promise<number[]> {
    const seen: number[] = [];
    let cursor: string | undefined;
    for (let page = 1; page <= 100; page += 1) {
      const answered = await list({ ...query, ...(cursor === undefined ? {} : { cursor }) });
      expect(answered.page).toBe(page);
      seen.push(...answered.items.map(({ data }) => Number(data["n"])));
      expect(answered.hasNextPage).toBe(answered.nextCursor !== null);
      if (answered.nextCursor === null) return seen;
      cursor = answered.nextCursor;
      await between?.();
    }
    throw new Error("the list has no end");
  }

  const rows: JsonObject[] = Array.from({ length: 60 }, (_, n) => {
    const pick = <Value>(values: readonly Value[], step: number): Value | undefined =>
      (n * step) % 7 === 0 ? undefined : values[(n * step) % values.length];
    const text = pick(texts, 5);
    const number = pick(numbers, 4);
    const flag = pick([true, false], 3);
    const given = { n, text, textKey: text, number, numberKey: number, flag, flagKey: flag };
    const inner = text === undefined ? (n % 2 === 0 ? null : undefined) : { text };
    const plain = JSON.stringify({ ...given, inner, long: `${n % 3}`.repeat(3000) });
    return JSON.parse(plain) as JsonObject;
  });

  beforeAll(async () => {
    services = recordServices(await open());
    await services.objectTypes.create(services.work, workspace, thing);
    for (const data of rows) {
      await services.resources.create(services.work, workspace, "thing", data);
    }
  });

  /** The expected order, computed here. */
  function sorted(
    fields: readonly (readonly [name: string, isDescending: boolean])[],
    collation: "text" | "binary" = "text",
  ): number[] {
    const compare = (one: unknown, other: unknown): number => {
      if (one === other) return 0;
      if (one === undefined || one === null) return other === undefined || other === null ? 0 : -1;
      if (other === undefined || other === null) return 1;
      if (typeof one === "string" && typeof other === "string") {
        const binary = Buffer.compare(Buffer.from(one), Buffer.from(other));
        if (collation === "binary") return binary;
        return (
          Buffer.compare(Buffer.from(withoutMarks(one)), Buffer.from(withoutMarks(other))) || binary
        );
      }
      return Number(one) < Number(other) ? -1 : 1;
    };
    const valueOf = (row: JsonObject, name: string): unknown =>
      name === "inner.text" ? (row["inner"] as JsonObject | null)?.["text"] : row[name];
    return rows
      .toSorted((one, other) => {
        for (const [name, isDescending] of fields) {
          const order = compare(valueOf(one, name), valueOf(other, name));
          if (order !== 0) return isDescending ? -order : order;
        }
        const byTime = Number(one["n"]) - Number(other["n"]);
        return fields.at(-1)?.[1] === true ? -byTime : byTime;
      })
      .map((row) => Number(row["n"]));
  }

  test("stand newest first unless asked otherwise", async () => {
    const { items, page, limit, hasNextPage } = await list({});
    expect(items.map(({ data }) => data["n"])).toEqual(
      Array.from({ length: 20 }, (_, i) => 59 - i),
    );
    expect({ page, limit, hasNextPage }).toEqual({ page: 1, limit: 20, hasNextPage: true });
    expect(await walk({ limit: 13 })).toEqual(Array.from({ length: 60 }, (_, i) => 59 - i));
  });

  test("follow any order through all pages, with and without an index", async () => {
    const names = [...textNames, "number", "numberKey", "flag", "flagKey", "n"];
    const field = fc.tuple(fc.constantFrom(...names), fc.boolean());
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(field, { minLength: 1, maxLength: 3, selector: ([name]) => name }),
        fc.integer({ min: 7, max: 25 }),
        fc.constantFrom("text", "binary"),
        async (fields, limit, collation) => {
          const sort = fields.map(([name, down]) => `${down ? "-" : ""}${name}`).join(",");
          const order = await walk({ sort, limit, collation });
          expect({ sort, collation, order }).toEqual({
            sort,
            collation,
            order: sorted(fields, collation),
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  test("refuse a cursor of the other order of texts", async () => {
    const { nextCursor } = await list({ sort: "textKey", limit: 5 });
    const query = { sort: "textKey", limit: 5, cursor: nextCursor ?? "" };
    await expect(list({ ...query, collation: "binary" })).rejects.toThrow(Refusal);
    expect((await list({ ...query, collation: "text" })).page).toBe(2);
  });

  test("follow the system's fields", async () => {
    expect(await walk({ sort: "created_at", limit: 25 })).toEqual(rows.map((_, index) => index));
    expect(await walk({ sort: "-id", limit: 25 })).toEqual(rows.map((_, index) => 59 - index));
    expect(await walk({ sort: "version,-n", limit: 25 })).toEqual(sorted([["n", true]]));
    expect(await walk({ sort: "created_by,updated_by", limit: 25 })).toEqual(
      sorted([["n", false]]),
    );
  });

  test("go on where they were, when values are too long for a cursor", async () => {
    expect(await walk({ sort: "long", limit: 20 })).toEqual(sorted([["long", false]]));
    const { nextCursor } = await list({ sort: "-long", limit: 7 });
    expect(nextCursor?.length).toBeLessThan(1000);
  });

  test("have numbered pages besides", async () => {
    const third = await list({ page: 3, limit: 25, sort: "n", count: true });
    expect(third).toMatchObject({ page: 3, limit: 25, hasNextPage: false, total: 60 });
    expect(third.items.map(({ data }) => data["n"])).toEqual([
      50, 51, 52, 53, 54, 55, 56, 57, 58, 59,
    ]);
    expect(await list({ page: 4, limit: 25 })).toMatchObject({ items: [], nextCursor: null });
  });

  test("count what the filter leaves", async () => {
    const where = JSON.stringify({ n: { $lt: 7 } });
    expect(await list({ where, limit: 3, count: true })).toMatchObject({ total: 7 });
    expect(await list({ where: "{}", limit: 3, count: true })).toMatchObject({ total: 60 });
    expect((await list({ where, limit: 3 })).total).toBeUndefined();
  });

  test("neither repeat nor miss a record while others are made and deleted", async () => {
    const { work, resources } = services;
    const place = newWorkspace();
    await services.objectTypes.create(services.work, place, thing);
    const make = async (n: number): Promise<string> =>
      (await resources.create(work, place, "thing", { n, textKey: `k${n % 4}` })).id;
    const ids: string[] = [];
    for (let n = 0; n < 30; n += 1) ids.push(await make(n));
    let extra = 100;
    for (const sort of ["-created_at", "textKey", "-n"]) {
      const seen: number[] = [];
      let cursor: string | undefined;
      do {
        const query: ResourceListQuery = {
          sort,
          limit: 4,
          ...(cursor === undefined ? {} : { cursor }),
        };
        const page = await resources.list(work, place, "thing", query);
        seen.push(...page.items.map(({ data }) => Number(data["n"])));
        cursor = page.nextCursor ?? undefined;
        const made = await make(extra);
        extra += 1;
        await resources.delete(work, place, "thing", made);
        await make(extra);
        extra += 1;
      } while (cursor !== undefined && seen.length < 500);
      expect(seen.length).toBe(new Set(seen).size);
      const old = seen.filter((n) => n < 30).toSorted((one, other) => one - other);
      expect({ sort, old }).toEqual({ sort, old: ids.map((_, n) => n) });
    }
  });

  describe("refuse a cursor", () => {
    const refused = { status: 422, options: { errors: [{ pointer: "#/query/cursor" }] } };
    const refusalOf = async (query: ResourceListQuery): Promise<Refusal> => {
      try {
        await list(query);
      } catch (error) {
        if (error instanceof Refusal) return error;
        throw error;
      }
      throw new Error("this was not refused");
    };
    const firstCursor = async (query: ResourceListQuery): Promise<string> =>
      (await list({ ...query, limit: 5 })).nextCursor ?? "";

    test("of another order", async () => {
      const cursor = await firstCursor({ sort: "n" });
      expect(await refusalOf({ sort: "-n", cursor })).toMatchObject(refused);
    });
    test("of another filter", async () => {
      const cursor = await firstCursor({ where: '{"n":{"$gt":3}}' });
      expect(await refusalOf({ where: '{"n":{"$gt":2}}', cursor })).toMatchObject(refused);
    });
    test("of another type or workspace", async () => {
      const cursor = await firstCursor({});
      const elsewhere = newWorkspace();
      await services.objectTypes.create(services.work, elsewhere, thing);
      const stolen = services.resources.list(services.work, elsewhere, "thing", { cursor });
      await expect(stolen).rejects.toMatchObject(refused);
    });
    test("that was touched", async () => {
      const cursor = await firstCursor({});
      const touched = cursor.replace(/^./, (first) => (first === "W" ? "X" : "W"));
      expect(await refusalOf({ cursor: touched })).toMatchObject(refused);
    });
    test("whose record is gone, where its values were too long to carry", async () => {
      const { work, resources } = services;
      const place = newWorkspace();
      await services.objectTypes.create(services.work, place, thing);
      for (const letter of ["a", "b", "c"]) {
        await resources.create(work, place, "thing", { long: letter.repeat(5000) });
      }
      const page = await resources.list(work, place, "thing", { sort: "long", limit: 1 });
      await resources.delete(work, place, "thing", page.items[0]?.id ?? "");
      const next = resources.list(work, place, "thing", {
        sort: "long",
        limit: 1,
        cursor: page.nextCursor ?? "",
      });
      await expect(next).rejects.toMatchObject(refused);
    });
  });

  test("give up a scan whose caller has gone", async () => {
    const controller = new AbortController();
    controller.abort();
    const scan = services.resources.list(
      services.work,
      workspace,
      "thing",
      { where: '{"long":{"$regex":"9"}}' },
      controller,
    );
    await expect(scan).rejects.toMatchObject({ reason: "aborted" });
  });

  test("counts what filters find, and lists ranges of many in any order", async () => {
    const large = newWorkspace();
    await services.objectTypes.create(services.work, large, thing);
    const count = 3_000;
    const made = Array.from({ length: count }, (_, n) => ({
      n,
      textKey: n % 10 === 0 ? null : `t${n % 3}`,
      numberKey: (n * 7919) % count,
      flagKey: n % 2 === 0,
    }));
    for (let first = 0; first < count; first += 1_000) {
      await services.resources.batch.create(
        services.work,
        { workspaceId: large, slug: "thing" },
        {
          items: made.slice(first, first + 1_000),
          isAtomic: true,
          namesRecords: false,
          placeOf: (index) => [index],
        },
      );
    }
    const cases: [where: object, passes: (row: (typeof made)[number]) => boolean][] = [
      [{ numberKey: { $gte: 100 } }, ({ numberKey }) => numberKey >= 100],
      [{ numberKey: { $gte: 2_990 } }, ({ numberKey }) => numberKey >= 2_990],
      [
        { numberKey: { $gte: 500, $lt: 2_900 } },
        (row) => row.numberKey >= 500 && row.numberKey < 2_900,
      ],
      [{ textKey: "t1" }, ({ textKey }) => textKey === "t1"],
      [{ textKey: null }, ({ textKey }) => textKey === null],
      [
        { textKey: { $in: ["t1", "t2", "none"] } },
        ({ textKey }) => textKey === "t1" || textKey === "t2",
      ],
      [{ textKey: "t1", flagKey: true }, (row) => row.textKey === "t1" && row.flagKey],
      [{ textKey: "t1", n: { $lt: 50 } }, (row) => row.textKey === "t1" && row.n < 50],
      [
        { numberKey: { $gte: 100 }, n: { $gt: 2_970 } },
        (row) => row.numberKey >= 100 && row.n > 2_970,
      ],
    ];
    for (const [filter, passes] of cases) {
      const where = JSON.stringify(filter);
      const wanted = made.filter(passes).map(({ n }) => n);
      for (const sort of ["created_at", "-created_at"]) {
        const found: number[] = [];
        let cursor: string | undefined;
        do {
          const query = { where, sort, count: true, limit: 500, ...(cursor ? { cursor } : {}) };
          const page = await services.resources.list(services.work, large, "thing", query);
          expect(page.total).toBe(wanted.length);
          found.push(...page.items.map(({ data }) => Number(data["n"])));
          cursor = page.nextCursor ?? undefined;
        } while (cursor !== undefined);
        expect(found).toEqual(sort === "created_at" ? wanted : wanted.toReversed());
      }
    }
  });
});
