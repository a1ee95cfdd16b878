import { expect, test } from "vitest";
import type { Reader } from "#server/database/database.ts";
import { wholeOf } from "#test/support/databases.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { textLiteral } from "#server/database/dialect.ts";
import { raw, render, type Statement } from "#server/database/statement.ts";
import { presentWords } from "#server/search-index/words.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { missingPostgres } from "#test/support/postgres.ts";
import { createPlatformTables } from "#test/support/prepared.ts";

const words = [
  { word: "fence", length: 5, triples: ["fen"] },
  { word: "granary", length: 7, triples: ["gra"] },
];

describeNeeding("words that a workspace has, on PostgreSQL", missingPostgres, () => {
  test("are each looked up, however many it has", async () => {
    const { url, drop } = await createPlatformTables("postgresql");
    const database = wholeOf(await openPlatformDatabase({ url, poolSize: 1 }));
    try {
      // Most workspaces have few words, which is what a plan for any workspace goes by.
      await database.write(async (writer) => {
        await writer.run(
          raw(`insert into search_words (workspace_id, triple, length, word)
            select case when item > 50000 then 'large' else 'w' || item % 200 end,
              chr(97 + item % 26) || chr(97 + item / 26 % 26) || chr(97 + item / 676 % 26),
              5, 'word' || item from generate_series(1, 90000) as item`),
        );
        await writer.run(raw("analyze search_words"));
        await writer.run(raw(`insert into search_words values ('large', 'gra', 7, 'granary')`));
      });
      expect(await presentWords(database.read, "large", words)).toEqual(new Set(["granary"]));

      const statements: Statement[] = [];
      const noting: Reader = Object.create(database.read, {
        all: {
          value: async (statement: Statement) => {
            statements.push(statement);
            return [];
          },
        },
      });
      await presentWords(noting, "large", words);
      const plans = await Promise.all(
        statements.map((statement) => planForAnyValue(database.read, statement)),
      );
      expect(plans).toEqual([
        expect.stringMatching(/Index Cond: .*workspace_id = \$.* AND .*word = given\.word/),
      ]);
    } finally {
      await database.close();
      await drop();
    }
  });
});

/** How a connection reads this from some time on. */
async function planForAnyValue(reader: Reader, statement: Statement): Promise<string> {
  const { text, parameters } = render(statement, "postgresql");
  await reader.all(raw("set plan_cache_mode = force_generic_plan"));
  await reader.all(raw(`prepare asked as ${text}`));
  const values = parameters.map((value) => textLiteral(String(value)));
  const lines = await reader.all<{ "QUERY PLAN": string }>(
    raw(`explain execute asked (${values.join()})`),
  );
  return lines.map((line) => line["QUERY PLAN"]).join("\n");
}
