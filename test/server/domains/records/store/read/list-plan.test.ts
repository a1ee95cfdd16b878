import { expect, test } from "vitest";
import type { Collation } from "#contract/resources/reads/collation.ts";
import type { Reader } from "#server/database/database.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { render, raw, type Statement } from "#server/database/statement.ts";
import { textLiteral } from "#server/database/dialect.ts";
import { listRecords } from "#server/domains/records/store/read/record-pages.ts";
import type { TypeSource } from "#server/domains/records/store/read/list-plan.ts";
import { parseSort } from "#server/domains/records/store/read/sort.ts";
import { parseWhere } from "#server/domains/records/where/record-filter.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { missingPostgres } from "#test/support/postgres.ts";
import { createPlatformTables } from "#test/support/prepared.ts";
import { wholeOf, type WholeDatabase } from "#test/support/databases.ts";

const type: TypeSource = {
  workspaceId: "0190a000-0000-7000-8000-000000000001",
  number: 1,
  properties: {
    status: { type: "string", indexed: true },
    amount: { type: "number", indexed: true },
  },
  slots: [
    { property: "status", kind: "text", number: 1, state: "ready" },
    { property: "amount", kind: "number", number: 1, state: "ready" },
  ],
  mayHoldLists: new Set(),
};

/** A filter, an order, and the one index that has the page's rows in sequence. */
const asked: readonly [string, object | undefined, string, string, Collation?][] = [
  ["the newest", undefined, "-created_at", "resources_by_id"],
  ["one value, newest first", { status: "open" }, "-created_at", "resources_t1"],
  ["a range in its order", { amount: { $gte: 5 } }, "amount", "resources_n1"],
  ["all in the order of a text", undefined, "-status", "resources_o1"],
  ["all in the order of code points", undefined, "-status", "resources_t1", "binary"],
  ["a range, newest first", { amount: { $gte: 5 } }, "-created_at", "resources_by_id"],
  [
    "one value and a range, newest first",
    { status: "open", amount: { $gte: 5 } },
    "-created_at",
    "resources_t1",
  ],
];

/**
 * PostgreSQL plans such a page once, for any value and for a type of middling size. Where most
 * types have a record or two, nearly every plan seems as good as another, until a large type is
 * asked for.
 */
describeNeeding("a page of PostgreSQL's along an index", missingPostgres, () => {
  test.each([
    ["hardly any records in each type", { workspaces: 100, types: 3_000, records: 1 }],
    ["a few records in each type", { workspaces: 100, types: 1_000, records: 4 }],
    ["many records in few types", { workspaces: 3, types: 3, records: 2_000 }],
    ["types of one workspace, side by side", { workspaces: 1, types: 20, records: 1_000 }],
  ])("is never put in order: %s", async (_name, stored) => {
    const { url, drop } = await createPlatformTables("postgresql");
    // One connection for pages, so that it is the one that is asked for its plans.
    const database = wholeOf(await openPlatformDatabase({ url, poolSize: 1 }));
    try {
      await fill(database, stored);
      for (const [name, where, sort, index, collation] of asked) {
        for (const isFirst of [true, false]) {
          const plan = await planOfPage(database, { where, sort, collation, isFirst });
          expect(plan, name).toContain(`using ${index} on resources`);
          expect(plan, name).not.toMatch(/Sort|Bitmap|Seq Scan/);
        }
      }
    } finally {
      await database.close();
      await drop();
    }
  });
});

async function fill(
  database: WholeDatabase,
  stored: { readonly workspaces: number; readonly types: number; readonly records: number },
): Promise<void> {
  const { workspaces, types, records } = stored;
  await database.write(async (writer) => {
    await writer.run(
      raw(`insert into resources (workspace_id, type_number, id, version, created_at, updated_at,
          created_by, updated_by, data, t1, n1)
        select 'w' || type % ${workspaces}, type, lpad(item || 'x' || type, 20, '0'), 1,
          '', '', '', '', '{}', '=' || item % 4, item
        from generate_series(1, ${records}) as item, generate_series(1, ${types}) as type
        order by item, type`),
    );
    await writer.run(raw("analyze resources"));
  });
}

interface AskedPage {
  readonly where: object | undefined;
  readonly sort: string;
  readonly collation: Collation | undefined;
  /** Other pages start after a record, as those of a cursor. */
  readonly isFirst: boolean;
}

/** How the connection that reads pages reads this one, from the second time on. */
async function planOfPage(
  database: WholeDatabase,
  { where, sort, collation, isFirst }: AskedPage,
): Promise<string> {
  const { pages } = database.read;
  if (pages === undefined) throw new Error("PostgreSQL reads pages in their own way");
  const statements: Statement[] = [];
  const noting: Reader = Object.create(pages, {
    all: {
      value: async (statement: Statement) => {
        statements.push(statement);
        return [];
      },
    },
  });
  const filter = parseWhere(where ?? {}, [], [type]);
  const order = parseSort(sort, type, collation);
  if (filter.faults !== undefined || order.fault !== undefined) throw new Error("both are sound");
  const after = isFirst ? undefined : order.keys.map(({ kind }) => (kind === "number" ? 7 : "2"));
  const read: Reader = Object.create(database.read, { pages: { value: noting } });
  await listRecords(
    { ...database, read },
    { type, condition: filter.condition, keys: order.keys, after, offset: 0, limit: 20 },
  );
  const [page] = statements;
  if (page === undefined) throw new Error("the page is not read along an index");
  const { text, parameters } = render(page, "postgresql");
  await pages.all(raw(`prepare page as ${text}`));
  const values = parameters.map((value) => textLiteral(String(value)));
  const lines = await pages.all<{ "QUERY PLAN": string }>(
    raw(`explain execute page (${values.join()})`),
  );
  await pages.all(raw("deallocate page"));
  return lines.map((line) => line["QUERY PLAN"]).join("\n");
}
