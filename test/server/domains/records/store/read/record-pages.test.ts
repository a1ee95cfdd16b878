import { beforeAll, expect, test } from "vitest";
import { listRecords, newestPassing } from "#server/domains/records/store/read/record-pages.ts";
import {
  parseSort,
  type SortKey,
  type SortValue,
} from "#server/domains/records/store/read/sort.ts";
import type { Condition } from "#server/database/where/condition.ts";
import { parseWhere } from "#server/domains/records/where/record-filter.ts";
import type { CompiledType } from "#server/domains/object-types/compiled-type.ts";
import type { Reader, ScanOptions } from "#server/database/database.ts";
import type { Statement } from "#server/database/statement.ts";
import { describeOnEachDatabase, type WholeDatabase } from "#test/support/databases.ts";
import { definition, newWorkspace, recordServices } from "#test/support/records.ts";

const count = 3_000;
const records = Array.from({ length: count }, (_, at) => ({
  // Neither in the order of creation nor all different; some have none.
  ...(at % 50 === 0 ? {} : { amount: (at * 7919) % 1_000 }),
  group: `g${at % 3}`,
  place: at,
}));
type Item = (typeof records)[number];

/**
 * An order that an index has, and a filter that it knows nothing of: where few records pass, they
 * are looked for along the index first and then among all.
 */
describeOnEachDatabase("a page in an index's order with another filter", (open) => {
  let database: WholeDatabase;
  let type: CompiledType;

  beforeAll(async () => {
    database = await open();
    const services = recordServices(database);
    const workspaceId = newWorkspace();
    const scope = { workspaceId, slug: "thing" };
    const properties = {
      amount: { type: "integer", indexed: true },
      group: { type: "string", indexed: true },
      place: { type: "integer" },
    } as const;
    await services.objectTypes.create(services.work, workspaceId, definition({ properties }));
    for (let from = 0; from < count; from += 1_000) {
      const items = records.slice(from, from + 1_000);
      const batch = { items, isAtomic: true, namesRecords: false, placeOf: () => [] };
      await services.resources.batch.create(services.work, scope, batch);
    }
    const found = await services.objectTypes.find(workspaceId, "thing");
    if (found === undefined) throw new Error("the type is there");
    type = found;
  });

  function keysOf(sort: string): readonly SortKey[] {
    const parsed = parseSort(sort, type);
    if (parsed.fault !== undefined) throw new Error(parsed.fault);
    return parsed.keys;
  }

  function conditionOf(where: object): Condition | undefined {
    const parsed = parseWhere(where, [], [type]);
    if (parsed.faults !== undefined) throw new Error("the filter is sound");
    return parsed.condition;
  }

  /** The places of the records of every page, page after page. */
  async function pages(where: object, sort: string, limit: number): Promise<number[][]> {
    const condition = conditionOf(where);
    const keys = keysOf(sort);
    const all: number[][] = [];
    for (let after: readonly SortValue[] | undefined; ;) {
      const page = { type, condition, keys, after, offset: 0, limit };
      const listed = await listRecords(database, page);
      all.push(listed.records.map(({ data }) => (JSON.parse(data) as Item).place));
      if (listed.records.length < limit) return all;
      after = listed.valuesAt(limit - 1);
    }
  }

  function expected(passes: (item: Item) => boolean, isDescending: boolean): number[] {
    const ordered = records
      .filter(passes)
      .toSorted(
        (one, other) => (one.amount ?? -1) - (other.amount ?? -1) || one.place - other.place,
      )
      .map(({ place }) => place);
    return isDescending ? ordered.toReversed() : ordered;
  }

  test.each([
    ["many", { place: { $gte: 100 } }, (item: Item) => item.place >= 100, 700],
    ["few", { place: { $in: [3, 2_950, 1_777, 50] } }, isOneOf(3, 2_950, 1_777, 50), 3],
    ["none", { place: -1 }, () => false, 20],
    [
      "few of an indexed range",
      { amount: { $gte: 10 }, place: { $lt: 40 } },
      (item: Item) => (item.amount ?? 0) >= 10 && item.place < 40,
      15,
    ],
  ])("has all of %s that pass, up and down", async (_name, where, passes, limit) => {
    for (const sort of ["amount", "-amount"]) {
      const wanted = expected(passes, sort.startsWith("-"));
      const found = await pages(where, sort, limit);
      expect(found.flat()).toEqual(wanted);
      expect(found).toHaveLength(Math.floor(wanted.length / limit) + 1);
    }
  });

  test("has all of a range that pass in two orders that no index has", async () => {
    const found = await pages({ amount: { $gte: 0 }, place: { $lt: 9 } }, "group,-amount", 4);
    const wanted = records
      .filter(({ amount, place }) => amount !== undefined && place < 9)
      .toSorted(
        (one, other) =>
          (one.group < other.group ? -1 : one.group > other.group ? 1 : 0) ||
          (other.amount ?? 0) - (one.amount ?? 0),
      );
    expect(found.flat()).toEqual(wanted.map(({ place }) => place));
  });

  test.each([
    ["wide", 100],
    ["narrower", 950],
    ["narrow", 998],
  ])("has all of a %s range in the order of creation, up and down", async (_name, least) => {
    const wanted = expected(({ amount }) => (amount ?? -1) >= least, false).toSorted(
      (one, other) => one - other,
    );
    const up = await pages({ amount: { $gte: least } }, "created_at", 20);
    expect(up.flat()).toEqual(wanted);
    const down = await pages({ amount: { $gte: least } }, "-created_at", 20);
    expect(down.flat()).toEqual(wanted.toReversed());
  });

  test.each([
    ["the newest", "-created_at", (one: Item, other: Item) => other.place - one.place],
    [
      "in the order of the other",
      "amount",
      (one: Item, other: Item) =>
        (one.amount ?? -1) - (other.amount ?? -1) || one.place - other.place,
    ],
  ])("has all that pass by two indexed properties, %s first", async (_name, sort, compare) => {
    for (const least of [0, 600, 990]) {
      const wanted = records
        .filter(({ amount, group }) => group === "g1" && amount !== undefined && amount >= least)
        .toSorted(compare);
      const found = await pages({ group: "g1", amount: { $gte: least } }, sort, 20);
      expect(found.flat()).toEqual(wanted.map(({ place }) => place));
    }
  });

  test("finds the newest of a wide range without a scan", async () => {
    let scans = 0;
    const watched = (reader: Reader): Reader =>
      Object.create(reader, {
        dialect: { value: reader.dialect },
        all: {
          value: (statement: Statement) => {
            scans += 1;
            return reader.all(statement);
          },
        },
      }) as Reader;
    const scan = Object.assign(watched(database.scan), {
      with: (options: ScanOptions) => watched(database.scan.with(options)),
    });
    const page = { type, keys: keysOf("-created_at"), after: undefined, offset: 0, limit: 20 };
    const listed = async (where: object): Promise<number> => {
      scans = 0;
      const condition = conditionOf(where);
      const { records: found } = await listRecords({ ...database, scan }, { ...page, condition });
      expect(found).toHaveLength(20);
      return scans;
    };
    expect(await listed({ amount: { $gte: 100 } })).toBe(0);
    // A filter without an index may take long for each record.
    expect(await listed({ amount: { $gte: 100 }, place: { $gte: 0 } })).toBeGreaterThan(0);
  });

  test("of the newest comes part after part, and no more than is asked for", async () => {
    const condition = conditionOf({ place: { $in: [2_999, 2_400, 1_999, 1_998, 700, 0] } });
    if (condition === undefined) throw new Error("the filter asks for something");
    const caller = { signal: new AbortController().signal };
    const parts = async (limit: number): Promise<number[][]> => {
      const found: number[][] = [];
      const looks = { rows: 1_000, limit };
      for await (const some of newestPassing(database, type, condition, looks, caller)) {
        found.push(some.map(({ data }) => (JSON.parse(data) as Item).place));
      }
      return found;
    };
    const [first, ...others] = await parts(20);
    expect(first).toEqual([2_999, 2_400, 1_999]);
    expect(others.flat()).toEqual([1_998, 700, 0]);
    expect((await parts(4)).flat()).toEqual([2_999, 2_400, 1_999, 1_998]);
  });

  test("starts after the given place", async () => {
    const condition = conditionOf({ place: { $gte: 1_000 } });
    const keys = keysOf("amount");
    const page = { type, condition, keys, after: undefined, offset: 1_950, limit: 20 };
    const listed = await listRecords(database, page);
    expect(listed.records.map(({ data }) => (JSON.parse(data) as Item).place)).toEqual(
      expected(({ place }) => place >= 1_000, false).slice(1_950, 1_970),
    );
  });
});

function isOneOf(...places: readonly number[]): (item: Item) => boolean {
  return ({ place }) => places.includes(place);
}
