import { expect, test } from "vitest";
import { CommonTerms, sampleMarks } from "#server/search-index/common-terms.ts";
import { insertEntries } from "#server/search-index/entries.ts";
import type { EntrySource } from "#server/search-index/sources.ts";
import { describeInTurn, type WholeDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";

const source: EntrySource = { kind: "passage", workspaceId: "w", number: 7 };

/** Writes entries of the source, of which a share has the word `common`. */
async function add(
  database: WholeDatabase,
  from: number,
  count: number,
  share: number,
): Promise<void> {
  for (let at = from; at < from + count; at += 500) {
    const writes = Array.from({ length: 500 }, (_, index) => {
      const number = at + index;
      const isCommon = number % 100 < share * 100;
      const terms = ["all", `own${number}`, ...(isCommon ? ["common"] : [])];
      const place = database.dialect === "sqlite" ? number + 1 : `${number}`;
      const marks = sampleMarks(`text ${number}`);
      return { place, entry: { terms, marks, length: terms.length, checksum: number } };
    });
    await database.write((writer) => insertEntries(writer, source, writes));
  }
}

function commonTerms(database: WholeDatabase): CommonTerms {
  return new CommonTerms(testWorks(database).works.forPlatform);
}

describeInTurn("counts of common terms", (open, { engine }) => {
  test.runIf(engine === "postgresql")("are estimated from a sample of a large source", async () => {
    const database = await open();
    await add(database, 0, 20_000, 0.3);
    const counts = await commonTerms(database).countsIn(source);
    expect(counts?.all).toBeGreaterThan(3_000);
    expect([...(counts?.having.keys() ?? [])].toSorted()).toEqual(
      expect.arrayContaining(["all", "common"]),
    );
    expect(counts?.having.get("all")).toBeGreaterThan(19_000);
    expect(counts?.having.get("all")).toBeLessThan(21_000);
    expect(counts?.having.get("common")).toBeGreaterThan(5_400);
    expect(counts?.having.get("common")).toBeLessThan(6_600);
    // A word of one entry is not in it, whatever the sample holds.
    expect([...(counts?.having.keys() ?? [])].filter((term) => term.startsWith("own"))).toEqual([]);
  });

  test("are not estimated in a small source, nor where counting is fast", async () => {
    const database = await open();
    await add(database, 0, 1_000, 0.3);
    expect(await commonTerms(database).countsIn(source)).toBeUndefined();
  });

  test.runIf(engine === "postgresql")("are those of the source, and kept for a while", async () => {
    const database = await open();
    await add(database, 0, 8_000, 0.5);
    const common = commonTerms(database);
    const [first, second] = await Promise.all([common.countsIn(source), common.countsIn(source)]);
    expect(second).toBe(first);
    expect(await common.countsIn({ ...source, number: 8 })).toBeUndefined();
    await add(database, 8_000, 8_000, 0.5);
    expect(await common.countsIn(source)).toBe(first);
    expect(await commonTerms(database).countsIn(source)).not.toEqual(first);
  });
});

test("each sample has a quarter of the one before it", () => {
  const counts = new Map<string, number>();
  for (let at = 0; at < 40_000; at += 1) {
    for (const mark of sampleMarks(`document/${at}`)) {
      counts.set(mark, (counts.get(mark) ?? 0) + 1);
    }
  }
  for (const [level, expected] of [10_000, 2_500, 625].entries()) {
    const count = counts.get(`s${level + 1}`) ?? 0;
    expect(Math.abs(count - expected)).toBeLessThan(4 * Math.sqrt(expected));
  }
});
