import { expect, test } from "vitest";
import { SearchWords } from "#server/search-index/word-list.ts";
import { raw, statement } from "#server/database/statement.ts";
import type { Database } from "#server/database/database.ts";
import { describeInTurn } from "#test/support/databases.ts";
import { newWorkspace } from "#test/support/records.ts";
import { withViews, withWrites } from "#test/support/watched-database.ts";
import { testWorks } from "#test/support/work.ts";

function searchWords(
  database: Database,
  options?: ConstructorParameters<typeof SearchWords>[1],
): SearchWords {
  return new SearchWords(testWorks(database).works.forPlatform, options);
}

describeInTurn("the words of a workspace", (open) => {
  test("are written once by writers that bring the same at a time", async () => {
    const database = await open();
    let units = 0;
    const counted = withViews(database, (view) => ({
      write: (unit) =>
        view.write((writer) => {
          units += 1;
          return unit(writer);
        }),
    }));
    const words = searchWords(counted);
    const terms = Array.from({ length: 900 }, (_, at) => `w${letters(at)}`);
    const entry = { words: terms, languages: [] };
    const workspaceId = newWorkspace();
    await Promise.all(Array.from({ length: 8 }, async () => words.note(workspaceId, [entry])));
    // Two units for all of them, and none that had to begin again.
    expect(units).toBe(2);
    expect(words.note(workspaceId, [entry])).toBeUndefined();
    const [row] = await database.read.all<{ count: number }>(
      raw("select count(distinct word) as count from search_words"),
    );
    expect(row?.count).toBe(terms.length);
  });

  test("that are there since an earlier start are read, and only new ones are written", async () => {
    const database = await open();
    const workspaceId = newWorkspace();
    const entryOf = (...words: string[]) => ({ words, languages: [] });
    const before = searchWords(database);
    await before.note(workspaceId, [entryOf("garage", "fence")]);
    await before.note(newWorkspace(), [entryOf("hedge")]);
    let units = 0;
    const words = searchWords(
      withWrites(database, (write) => {
        units += 1;
        return write();
      }),
    );
    await words.note(workspaceId, [entryOf("fence", "garage")]);
    expect(units).toBe(0);
    expect(words.note(workspaceId, [entryOf("fence")])).toBeUndefined();
    // Another workspace's word is none of this one's.
    await words.note(workspaceId, [entryOf("fence", "hedge")]);
    expect(units).toBe(1);
    const rows = await database.read.all<{ word: string }>(statement`select distinct word
      from search_words where workspace_id = ${workspaceId} order by word`);
    expect(rows.map(({ word }) => word)).toEqual(["fence", "garage", "hedge"]);
  });

  test("that come often are still known when a great many others have come", async () => {
    const database = await open();
    const workspaceId = newWorkspace();
    const words = searchWords(database, { knownAtMost: 100 });
    const note = (...terms: string[]): Promise<void> | undefined =>
      words.note(workspaceId, [{ words: terms, languages: [] }]);
    await note("garage");
    for (let at = 0; at < 300; at += 30) {
      await note(...Array.from({ length: 30 }, (_, offset) => `w${letters(at + offset)}`));
      expect(note("garage")).toBeUndefined();
    }
    expect(note(`w${letters(299)}`)).toBeUndefined();
    expect(note(`w${letters(0)}`)).toBeInstanceOf(Promise);
    await note(`w${letters(0)}`);
  });

  test("that come while others are stored are stored together", async () => {
    const database = await open();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    let units = 0;
    const held = withWrites(database, async (write) => {
      units += 1;
      begin();
      await released;
      return write();
    });
    const words = searchWords(held);
    const workspaceId = newWorkspace();
    const note = (at: number): Promise<void> | undefined =>
      words.note(workspaceId, [{ words: [`w${letters(at)}`], languages: [] }]);
    const first = note(0);
    await begun;
    const others = Array.from({ length: 20 }, (_, at) => note(at + 1));
    release();
    await Promise.all([first, ...others]);
    expect(units).toBe(2);
    expect(note(20)).toBeUndefined();
  });
});

/** Writes a number with letters. */
function letters(number: number): string {
  return Array.from(String(number).padStart(3, "0"), (digit) => "abcdefghij"[Number(digit)]).join(
    "",
  );
}
