import { expect, test } from "vitest";
import type { Reader } from "#server/database/database.ts";
import { describeOnEachDatabase, wholeOf } from "#test/support/databases.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { textLiteral } from "#server/database/dialect.ts";
import { raw, render, type Statement } from "#server/database/statement.ts";
import { addWords, correctionsOf, presentWords, storedWord } from "#server/search-index/words.ts";
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

describeOnEachDatabase("the corrections of words", (open) => {
  /**
   * The correction among texts of which each has all words but those that are not searched; one
   * text has `together` and the rest of the query.
   */
  async function corrected(
    asked: string,
    stored: readonly string[],
    { elsewhere = "", together = "" } = {},
  ) {
    const { write, read } = await open();
    await write((writer) => addWords(writer, "any", stored.map(storedWord)));
    const misspelt = [{ word: asked, term: asked }];
    const found = await correctionsOf(() => read, "any", misspelt, {
      texts: async (words) => words.map((word) => (word === elsewhere ? 0 : word.length)),
      together: async (words) => words.map((word) => (word === together ? 1 : 0)),
    });
    return found.get(asked);
  }

  test("are words with the fewest edits", async () => {
    expect(await corrected("granery", ["granary", "grannies", "fence"])).toBe("granary");
    expect(await corrected("zeppelin", ["granary", "fence"])).toBeUndefined();
  });

  test("replace no word that a text of the workspace has, though no searched one", async () => {
    const stored = ["drainage", "drainages", "trainage"];
    expect(await corrected("drainage", stored, { elsewhere: "drainage" })).toBeUndefined();
  });

  test("are the word that goes with the rest of the query, then the most frequent one", async () => {
    const stored = ["garden", "gardens", "wardens"];
    expect(await corrected("fardens", stored)).toBe("gardens");
    expect(await corrected("fardens", stored, { together: "wardens" })).toBe("wardens");
    // A word with more edits is none of them.
    expect(await corrected("fardens", stored, { together: "garden" })).toBe("gardens");
  });

  test("are longer forms of the word before words with another letter", async () => {
    expect(await corrected("egitim", ["egilim", "egitimi"])).toBe("egitimi");
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
