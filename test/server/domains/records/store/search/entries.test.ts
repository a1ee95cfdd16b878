import { expect, test } from "vitest";
import { raw } from "#server/database/statement.ts";
import { countTerms } from "#server/domains/records/store/search/candidates.ts";
import {
  insertEntries,
  removeEntries,
  replaceEntries,
  type EntryWrite,
} from "#server/domains/records/store/search/entries.ts";
import { describeOnEachDatabase, type WholeDatabase } from "#test/support/databases.ts";

const type = { workspaceId: "w", number: 1 };
const scope = { workspaceId: "w", typeNumbers: [1] };

function idOf(at: number): string {
  return `0190a000-0000-7${at.toString(16).padStart(3, "0")}-8000-000000000000`;
}

function entry(at: number, ...terms: string[]): EntryWrite {
  return { id: idOf(at), entry: { terms, length: terms.length, checksum: at } };
}

async function counted(database: WholeDatabase, ...terms: string[]): Promise<number[]> {
  const asked = terms.map((term) => ({ indexed: [term] }));
  return (await countTerms(database.read, scope, asked)).map(({ count }) => count);
}

describeOnEachDatabase("the index of terms", (open, { engine, createTables }) => {
  test("finds what was written one by one, changed and removed, while it is merged", async () => {
    const database = await open();
    const segments: number[] = [];
    for (let at = 0; at < 300; at += 1) {
      const added = entry(at, "common", `rest${at % 3}`, `own${at}`);
      await database.write((writer) => insertEntries(writer, type, [added]));
      if (engine === "sqlite") segments.push(await segmentsIn(database));
    }
    for (let at = 0; at < 60; at += 1) {
      const changed = entry(at, "changed", `own${at}`);
      await database.write((writer) => replaceEntries(writer, type, [changed]));
      if (engine === "sqlite") segments.push(await segmentsIn(database));
    }
    await database.write((writer) => removeEntries(writer, type, [idOf(0), idOf(299)]));
    const terms = ["common", "rest0", "changed", "own0", "own7", "own298", "own299"];
    expect(await counted(database, ...terms)).toEqual([239, 80, 59, 0, 1, 1, 0]);
    // A search looks into each of them. Were they only merged when FTS5 has to, there would be
    // eight.
    const mean = segments.reduce((sum, count) => sum + count, 0) / Math.max(1, segments.length);
    expect(mean).toBeLessThan(6.5);
  });

  test("finds what was written before the database was opened again", async () => {
    const { url } = await createTables();
    const add = async (database: WholeDatabase, at: number) =>
      database.write((writer) => insertEntries(writer, type, [entry(at, "common", `own${at}`)]));
    const first = await open({ url });
    for (let at = 0; at < 40; at += 1) await add(first, at);
    await first.close();
    const database = await open({ url });
    for (let at = 40; at < 80; at += 1) await add(database, at);
    expect(await counted(database, "common", "own3", "own77")).toEqual([80, 1, 1]);
  });
});

async function segmentsIn(database: WholeDatabase): Promise<number> {
  const row = await database.read.first<{ count: number }>(
    raw("select count(distinct segid) as count from search_terms_idx"),
  );
  return row?.count ?? 0;
}
