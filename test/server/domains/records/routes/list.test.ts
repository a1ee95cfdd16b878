import { expect, test } from "vitest";
import { base, ensureTypes, nextReference } from "#test/support/casework.ts";
import { apiCases, type ApiCase } from "#test/support/api-cases.ts";
import { describePlatform } from "#test/support/platform.ts";

describePlatform(
  "lists of records",
  (the) => {
    const list = (query: string): string => `${base}/casework?${query}`;
    const wrong = (name: string, query: string, pointers: readonly string[]): ApiCase => ({
      name,
      as: "tenant-viewer",
      method: "GET",
      path: list(query),
      before: ensureTypes,
      expect: { status: 422, code: "validation-failed", pointers },
    });
    const where = (value: unknown): string => `where=${encodeURIComponent(JSON.stringify(value))}`;
    apiCases(the, [
      wrong("refuses a page below 1", "page=0", ["#/query/page"]),
      wrong("refuses more than 500 items", "limit=501", ["#/query/limit"]),
      ...["1e2", "0x10", "2.0", "%2020", "%2B20", "", "NaN", "99999999999999999999"].map((limit) =>
        wrong(`refuses a limit that is written "${limit}"`, `limit=${limit}`, ["#/query/limit"]),
      ),
      wrong("refuses what it does not know", "offset=3", ["#/query/offset"]),
      wrong("refuses an unknown field to sort by", "sort=nope", ["#/query/sort"]),
      wrong("refuses to sort by a list", "sort=tags", ["#/query/sort"]),
      wrong("refuses an invented cursor", "cursor=abc.def", ["#/query/cursor"]),
      wrong("refuses a where that is not JSON", "where=%7Bbad", ["#/query/where"]),
      wrong(
        "points to a number that it would not look for",
        "where=%7B%22amount%22%3A9007199254740993%7D",
        ["#/query/where/amount"],
      ),
      wrong(
        "points to a name of which it would look for one value only",
        `where=${encodeURIComponent('{"amount":{"$gt":1},"amount":{"$lt":5}}')}`,
        ["#/query/where/amount"],
      ),
      // Reading it for such a number goes as deep as it is.
      ...["[9007199254740993]", '{"a":1}', ""].map((inner) =>
        wrong(
          `refuses a where of 7,500 levels around ${inner || "nothing"}`,
          `where=${"[".repeat(7500)}${encodeURIComponent(inner)}${"]".repeat(7500)}`,
          ["#/query/where"],
        ),
      ),
      wrong("refuses a where that is no object", where([1]), ["#/query/where"]),
      wrong("points to an unknown operator", where({ status: { $like: "o%" } }), [
        "#/query/where/status/$like",
      ]),
      wrong(
        "points to each fault of a filter",
        where({ $or: [{ amount: { $gt: [1] } }, { $where: "1" }], "a..b": 1 }),
        ["#/query/where/$or/0/amount/$gt", "#/query/where/$or/1/$where", "#/query/where/a..b"],
      ),
      wrong(
        "refuses an $or that is 200 deep",
        where(Array.from({ length: 200 }).reduce<object>((inner) => ({ $or: [inner] }), { a: 1 })),
        ["#/query/where/$or/0/$or/0/$or/0"],
      ),
      wrong(
        "refuses a path that may lead through too many lists",
        where({ status: "open", [`extra${".0".repeat(15)}`]: 1 }),
        [`#/query/where/extra${".0".repeat(15)}`],
      ),
      wrong(
        "refuses many paths that may each lead through lists",
        where({ $or: Array.from({ length: 33 }, (_, at) => ({ [`extra.a.b.c.d.e.f${at}`]: 1 })) }),
        ["#/query/where/$or/32/extra.a.b.c.d.e.f32"],
      ),
      wrong("refuses a pattern that looks around", where({ title: { $regex: "(?<=a)b" } }), [
        "#/query/where/title/$regex",
      ]),
      wrong(
        "refuses an $in with more than 1,000 items",
        where({ amount: { $in: Array.from({ length: 1001 }, (_, index) => index) } }),
        ["#/query/where/amount/$in"],
      ),
    ]);

    test("a pattern that would make others hang is answered like any other", async () => {
      await ensureTypes(the());
      const { tenant } = the().workspaces;
      await the()
        .as("tenant-staff")
        .post(`/v4/data/resources/${tenant}/casework`, {
          reference: nextReference(),
          extra: { text: "a".repeat(50_000) },
        });
      const hostile = where({ "extra.text": { $regex: "^(a+)+b$" } });
      const answered = await the()
        .as("tenant-viewer")
        .get(`/v4/data/resources/${tenant}/casework?${hostile}`);
      expect(answered.status).toBe(200);
      expect(answered.json).toMatchObject({ items: [] });
    });
  },
  { alsoInThread: true },
);
