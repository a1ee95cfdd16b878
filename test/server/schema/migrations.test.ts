import { expect, test } from "vitest";
import { columnType, type Migration } from "#server/database/migration.ts";
import { raw, statement } from "#server/database/statement.ts";
import { migrations } from "#server/schema/migrations.ts";
import { describeOnEachDatabase, openWhole } from "#test/support/databases.ts";
import { catalogOf, faultsOfChange, type Catalog } from "./catalog.ts";

const { text, integer } = columnType;

const first: Migration = {
  name: "0001-things",
  async up({ run }) {
    await run(statement`create table things (id ${text} not null primary key, label ${text},
      size ${integer} not null, check (size >= 0))`);
    await run(statement`create index things_by_label on things (label)`);
  },
};

/** Triggers that write an index of the same database, for any data that a row can have. */
const placing = /^trigger (?:resources|geo_features)_(?:placed|moved|gone) (?:may refuse|is now)/;
/** The policy has the same meaning as before: the test of row-level security writes its rows. */
const sameScope = /^policy change_batches\.svc_workspaces is now/;

/** Reads of the previous build also go by the numbers of the rows, which are the primary key. */
const byNumbers = /^index change_batches_sizes is gone$/;
/** Statements with semicolons between them; `\\;` is part of one. */
function change(statements: string): Migration {
  return {
    name: "0002-change",
    async up({ run }) {
      for (const each of statements.split(/(?<!\\);/)) await run(raw(each.replace("\\;", ";")));
    },
  };
}

describeOnEachDatabase("each numbered change", (_open, { engine, create }) => {
  /** Faults of each change after the first one, all in one database. */
  async function faultsOfEach(all: readonly Migration[]): Promise<string[][]> {
    const { url } = await create();
    const catalogWith = async (count: number): Promise<Catalog> => {
      const database = await openWhole({ url, migrations: all.slice(0, count), poolSize: 1 });
      try {
        return await catalogOf(database);
      } finally {
        await database.close();
      }
    };
    let before = await catalogWith(1);
    expect(before.size).toBeGreaterThan(0);
    const faults: string[][] = [];
    for (let count = 2; count <= all.length; count += 1) {
      const after = await catalogWith(count);
      faults.push(faultsOfChange(before, after));
      before = after;
    }
    return faults;
  }
  const faultsAfterFirst = async (statements: string): Promise<string[]> =>
    (await faultsOfEach([first, change(statements)])).flat();

  test("only adds, and accepts what the previous build writes", async () => {
    const faults = await faultsOfEach(migrations);
    expect(faults).toHaveLength(migrations.length - 1);
    for (const [at, found] of faults.entries()) {
      const harmless = [placing, sameScope, ...(engine === "sqlite" ? [byNumbers] : [])];
      const harmful = found.filter((fault) => !harmless.some((each) => each.test(fault)));
      expect(harmful, migrations[at + 1]?.name).toEqual([]);
    }
  });

  test.each([
    "create table others (id text primary key, n integer not null unique, check (n > 0))",
    "alter table things add column note text; create index things_by_note on things (note)",
    "alter table things add column count integer not null default 0",
    "create index things_by_size on things (label, size); drop index things_by_label",
  ])("may be: %s", async (statements) => {
    expect(await faultsAfterFirst(statements)).toEqual([]);
  });

  const replaced = `create table new_things (id text not null primary key, label text, size text);
    insert into new_things select id, label, size from things; drop table things;
    alter table new_things rename to things; create index things_by_label on things (label)`;
  const byIndex = "drop index things_by_label; alter table things drop column label";
  type Case = readonly [statements: string, fault: string];
  const common: readonly Case[] = [
    ["drop table things", "table things is gone"],
    [byIndex, "column things.label is gone"],
    ["alter table things rename column label to name", "column things.label is gone"],
    ["alter table things rename to parts", "table things is gone"],
    ["drop index things_by_label", "index things_by_label is gone"],
    [
      "create index things_by_size on things (size, label); drop index things_by_label",
      "index things_by_label is gone",
    ],
    [replaced, "column things.size is now text"],
    ["create unique index one_label on things (label)", "index one_label may refuse"],
  ];
  const own: Readonly<Record<typeof engine, readonly Case[]>> = {
    sqlite: [
      [
        "create trigger no_thing after insert on things begin delete from things\\; end",
        "trigger no_thing may refuse",
      ],
    ],
    postgresql: [
      ["alter table things alter size type integer", "column things.size is now integer"],
      ["alter table things add column n bigint not null", "column things.n may refuse"],
      ["alter table things add check (size < 9)", "constraint things_size_check1 may refuse"],
      ["alter table things drop constraint things_size_check", "constraint things_size_check is"],
    ],
  };
  test.each([...common, ...own[engine]])("may not be: %s", async (statements, fault) => {
    const faults = await faultsAfterFirst(statements);
    expect(faults.map((each) => each.slice(0, fault.length))).toContain(fault);
  });
});

test("a change needs an earlier one, or all that are known", () => {
  migrations.forEach(({ name, needs }, index) => {
    const earlier = migrations.slice(0, index).map((each) => each.name);
    if (needs !== undefined) expect(earlier, name).toContain(needs);
  });
});
