import { beforeAll, expect, test } from "vitest";
import {
  ascending,
  descending,
  isOneOf,
  jsonFieldText,
  jsonText,
  jsonValue,
  textContains,
  textOrder,
  textStartsWith,
  type JsonKind,
} from "#server/database/dialect.ts";
import { JsonNode } from "#server/database/where/json-node.ts";
import { columnType } from "#server/database/migration.ts";
import { assignments, insertInto, raw, statement } from "#server/database/statement.ts";
import type { Statement } from "#server/database/statement.ts";
import { describeOnEachDatabase, type WholeDatabase } from "#test/support/databases.ts";

const { text, integer, number, json, bytes } = columnType;

const things = {
  name: "0001-things",
  async up(context: { run(statement: Statement): Promise<void> }) {
    await context.run(statement`create table things (
      id ${text} primary key, label ${text}, big ${integer}, ratio ${number}, data ${json},
      content ${bytes}
    )`);
  },
};

/** Behaviour that both engines share, so that a store is written once. */
describeOnEachDatabase("both dialects", (open) => {
  let database: WholeDatabase;
  beforeAll(async () => {
    database = await open({ migrations: [things] });
  });

  /** Replaces all rows; `id` is the place of the row. */
  const fill = (rows: readonly Partial<Record<"label" | "big" | "ratio" | "data", unknown>>[]) =>
    database.write(async (writer) => {
      await writer.run(statement`delete from things`);
      for (const [index, row] of rows.entries()) {
        const { label = null, big = null, ratio = null } = row;
        await writer.run(statement`insert into things (id, label, big, ratio, data) values (
          ${String(index)}, ${label as string | null}, ${big as bigint | null},
          ${ratio as number | null}, ${"data" in row ? jsonValue(row.data) : null}
        )`);
      }
    });
  const ids = async (rest: Statement): Promise<string[]> =>
    (await database.read.all<{ id: string }>(statement`select id from things ${rest}`)).map(
      (row) => row.id,
    );
  const value = async (expression: Statement): Promise<unknown> =>
    (
      await database.read.first<{ value: unknown }>(
        statement`select ${expression} as value from things order by id limit 1`,
      )
    )?.value;

  test("1. text is ordered by code point", async () => {
    await fill(["b", "B", "a", "ä", "Z", "_", "😀", "ﬀ"].map((label) => ({ label })));
    const ordered = ["B", "Z", "_", "a", "b", "ä", "ﬀ", "😀"];
    const labels = async (order: Statement) =>
      (
        await database.read.all<{ label: string }>(
          statement`select label from things order by ${order}`,
        )
      ).map((row) => row.label);
    expect(await labels(statement`label`)).toEqual(ordered);
    expect(await labels(textOrder(statement`label || ''`))).toEqual(ordered);
    expect(await ids(statement`where label < ${"a"} order by label`)).toEqual(["1", "4", "5"]);
  });

  test("2. null is the smallest, in both directions", async () => {
    await fill([{ label: "b" }, { label: null }, { label: "a" }]);
    expect(await ids(statement`order by ${ascending(statement`label`)}`)).toEqual(["1", "2", "0"]);
    expect(await ids(statement`order by ${descending(statement`label`)}`)).toEqual(["0", "2", "1"]);
  });

  test("3. contains and starts-with are case-sensitive, and % and _ are plain characters", async () => {
    await fill([{ label: "Straße 5%" }, { label: "straße_5" }, { label: "STRASSE" }]);
    const label = raw("label");
    expect(await ids(statement`where ${textContains(label, "traße")}`)).toEqual(["0", "1"]);
    expect(await ids(statement`where ${textContains(label, "5%")}`)).toEqual(["0"]);
    expect(await ids(statement`where ${textStartsWith(label, "S")} order by id`)).toEqual([
      "0",
      "2",
    ]);
    expect(await ids(statement`where ${textStartsWith(label, "straße_")}`)).toEqual(["1"]);
    expect(await ids(statement`where ${textStartsWith(label, "")} order by id`)).toEqual([
      "0",
      "1",
      "2",
    ]);
  });

  test("4. a comparison of numbers leaves out text and booleans", async () => {
    await fill(
      [{ n: 6 }, { n: "7" }, { n: true }, { n: 5 }, { n: null }, {}, { n: 5.5 }].map((data) => ({
        data,
      })),
    );
    const n = JsonNode.column("data").member("n");
    expect(await ids(statement`where ${n.compareNumber(">", 5)} order by id`)).toEqual(["0", "6"]);
    expect(await ids(statement`where ${n.equalsNumber(1)}`)).toEqual([]);
    const kind = (of: JsonKind) => ids(statement`where ${n.is(of)} order by id`);
    expect(await kind("string")).toEqual(["1"]);
    expect(await kind("boolean")).toEqual(["2"]);
    expect(await kind("null")).toEqual(["4"]);
    expect(await kind("array")).toEqual([]);
    expect(await ids(statement`where ${n.isMissing()}`)).toEqual(["5"]);
  });

  test("5. a boolean in JSON is compared with a boolean", async () => {
    await fill([{ on: true }, { on: false }, { on: 1 }].map((data) => ({ data })));
    const on = JsonNode.column("data").member("on");
    expect(await ids(statement`where ${on.equalsFlag(true)}`)).toEqual(["0"]);
    expect(await ids(statement`where ${on.equalsNumber(1)}`)).toEqual(["2"]);
  });

  test("6. a flag is 0 or 1 in a column", async () => {
    await fill([{ big: true }, { big: false }]);
    const rows = await database.read.all(statement`select big from things order by id`);
    expect(rows).toEqual([{ big: 1 }, { big: 0 }]);
    expect(await ids(statement`where big = ${true}`)).toEqual(["0"]);
  });

  test("7. integers are numbers, and exact bigints where a number is not enough", async () => {
    await fill([
      { big: 42 },
      { big: 9_007_199_254_740_991n },
      { big: 9_007_199_254_740_993n },
      { big: -9_223_372_036_854_775_808n },
    ]);
    const rows = await database.read.all<{ big: unknown }>(
      statement`select big from things order by id`,
    );
    expect(rows.map((row) => row.big)).toEqual([
      42,
      9_007_199_254_740_991,
      9_007_199_254_740_993n,
      -9_223_372_036_854_775_808n,
    ]);
    expect(await value(raw("count(*) over ()"))).toBe(4);
    const returned = await database.write((writer) =>
      writer.all(statement`update things set big = big where id = '2' returning big`),
    );
    expect(returned).toEqual([{ big: 9_007_199_254_740_993n }]);
    const scanned = await database.scan.all(statement`select big from things where id = '2'`);
    expect(scanned).toEqual([{ big: 9_007_199_254_740_993n }]);
  });

  test("8. rows are plain objects with plain values", async () => {
    await database.write(async (writer) => {
      await writer.run(statement`delete from things`);
      await writer.run(statement`insert into things (id, ratio, content)
        values (${"0"}, ${0.1}, ${new Uint8Array([0, 1, 255])})`);
    });
    for (const reader of [database.read, database.scan]) {
      const row = await reader.first<Record<string, unknown>>(
        statement`select id, label, ratio, content from things`,
      );
      expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
      expect(row).toStrictEqual({
        id: "0",
        label: null,
        ratio: 0.1,
        content: new Uint8Array([0, 1, 255]),
      });
    }
  });

  test("9. JSON is returned unchanged: text as text, large numbers as exact as their text", async () => {
    const data = {
      text: '{"not":"parsed"}',
      "dotted.name": { "with \"quotes\" and 'more'": [1, "2", true, null, 0.1, 1e21] },
      unicode: "ä😀\u2028\\",
    };
    await fill([{ data }, { data: "only text" }, { data: null }]);
    const texts = await database.read.all<{ data: string }>(
      statement`select ${jsonText("data")} as data from things order by id`,
    );
    expect(texts.map((row): unknown => JSON.parse(row.data))).toEqual([data, "only text", null]);
    expect(await value(jsonFieldText("data", ["text"]))).toBe('{"not":"parsed"}');
    // JSON.parse rounds beyond 2^53: exact large numbers are texts.
    await fill([{ data: { id: "9007199254740993" } }]);
    expect(await value(jsonFieldText("data", ["id"]))).toBe("9007199254740993");
  });

  test("10. the order of JSON keys has no meaning: equal objects are equal", async () => {
    await fill([{ data: { bb: 1, a: { z: 1, y: 2 } } }]);
    const json = String(await value(jsonText("data")));
    expect(JSON.parse(json)).toEqual({ a: { y: 2, z: 1 }, bb: 1 });
  });

  test("a missing column value is SQL null, JSON null is not", async () => {
    await fill([{}, { data: null }]);
    expect(await ids(statement`where data is null`)).toEqual(["0"]);
  });

  test("one of many texts is found by an index", async () => {
    await fill(Array.from({ length: 500 }, (_, at) => ({ label: `label ${at}` })));
    const wanted = ["499", "7", "none", "it's", '"', "12"];
    const isOne = isOneOf(raw("id"), wanted);
    expect(await ids(statement`where ${isOne} order by id`)).toEqual(["12", "499", "7"]);
    expect(await ids(statement`where ${isOneOf(raw("id"), [])}`)).toEqual([]);
  });

  test("rows are inserted and changed by column, with fragments as values", async () => {
    await fill([]);
    const changed = await database.write(async (writer) => {
      const data = jsonValue({ list: [1, "two"] });
      const row = { id: "a", label: undefined, big: 2n, ratio: null, data };
      const inserted = await writer.run(insertInto("things", row));
      const changes = { label: "it's", big: undefined, ratio: 0.5 };
      const updated = await writer.run(statement`update things set ${assignments(changes)}
        where id = ${"a"}`);
      return [inserted.changedRows, updated.changedRows];
    });
    expect(changed).toEqual([1, 1]);
    for (const reader of [database.read, database.scan]) {
      const rows = await reader.all<{ data: string }>(statement`select id, label, big, ratio,
        ${jsonText("data")} as data from things
        where ${jsonFieldText("data", ["list"])} is not null`);
      expect(rows.map((row) => ({ ...row, data: JSON.parse(row.data) as unknown }))).toEqual([
        { id: "a", label: "it's", big: 2, ratio: 0.5, data: { list: [1, "two"] } },
      ]);
    }
  });
});
