import { expect, test } from "vitest";
import { bestHits } from "#server/search-index/best-hits.ts";
import { insertEntries } from "#server/search-index/entries.ts";
import {
  countHits,
  countMatches,
  weighedMatches,
  weighted,
  matching,
  anyMatch,
  weighedOnce,
} from "#server/search-index/hits.ts";
import type { EntrySource } from "#server/search-index/sources.ts";
import { statement, type Statement } from "#server/database/statement.ts";
import { describeInTurn, type WholeDatabase } from "#test/support/databases.ts";

const source: EntrySource = { kind: "passage", workspaceId: "w", number: 7 };
const scope = { kind: "passage", workspaceId: "w", sources: [7] } as const;
const marked = { ...scope, marks: [["even"]] };
const share = { usualLength: 150, share: 0.3 };

/** Writes 60 entries: all have `all`, every second one `half` and a mark, every tenth one `few`. */
async function fill(database: WholeDatabase): Promise<void> {
  const writes = Array.from({ length: 60 }, (_, at) => {
    const terms = ["all", ...(at % 2 === 0 ? ["half"] : []), ...(at % 10 === 0 ? ["few"] : [])];
    const place = database.dialect === "sqlite" ? at + 1 : `d${String(at).padStart(2, "0")}/1`;
    const marks = at % 2 === 0 ? ["even"] : [];
    return { place, entry: { terms, marks, length: 40 + (at % 7), checksum: at } };
  });
  await database.write((writer) => insertEntries(writer, source, writes));
}

describeInTurn("counts of entries", (open, { engine }) => {
  const queries = [[], [["few"]], [["half", "few"]], [["half"], ["absent"]], [[{ prefix: "al" }]]];

  test("are those of each query, up to the limit", async () => {
    const database = await open();
    await fill(database);
    expect(await countMatches(database.scan, scope, queries, 100)).toEqual([60, 6, 30, 0, 60]);
    expect(await countMatches(database.scan, scope, queries, 20)).toEqual([20, 6, 20, 0, 20]);
    expect(await countMatches(database.scan, marked, queries, 100)).toEqual([30, 6, 30, 0, 30]);
    expect(await countMatches(database.scan, { ...scope, workspaceId: "x" }, [], 100)).toEqual([]);
    const others = { ...scope, workspaceId: "x", sources: [8] };
    expect(await countMatches(database.scan, others, queries, 100)).toEqual([0, 0, 0, 0, 0]);
  });

  test.runIf(engine === "postgresql")("come with the entries of the rare terms", async () => {
    const database = await open();
    await fill(database);
    const found = await countHits(database.scan, scope, queries, { limit: 100, hitsBelow: 30 });
    expect(found.map(({ hits }) => hits === undefined)).toEqual([true, false, true, true, true]);
    expect(found[1]?.hits?.split(",").toSorted()).toEqual([
      "d00/1 40",
      "d10/1 43",
      "d20/1 46",
      "d30/1 42",
      "d40/1 45",
      "d50/1 41",
    ]);
  });

  test.runIf(engine === "postgresql")("weigh the entries as a statement does", async () => {
    const database = await open();
    await fill(database);
    const terms = [
      { indexed: ["few"], weight: 2.3 },
      { indexed: ["half"], weight: 0.7 },
    ];
    const lists = terms.map(({ indexed }) => [indexed]);
    const options = { limit: 100, hitsBelow: 100 };
    const counted = await countHits(database.scan, scope, lists, options);
    const hits = terms.map(({ weight }, at) => ({ weight, hits: counted[at]?.hits ?? "" }));
    const page = { limit: 100, isOrdered: false };
    const each = terms.map(({ indexed, weight }) => {
      return weighted(matching(scope, [indexed], page), weight);
    });
    expect(bestHits(hits, share, 12)).toEqual(
      await best(database, weighedMatches(each, share), 12),
    );
  });

  test.runIf(engine === "postgresql")(
    "of a window are the same with any number of terms",
    async () => {
      const database = await open();
      await fill(database);
      for (const size of [1, 4, 5, 9]) {
        const terms = Array.from({ length: size }, (_, at) => {
          return { indexed: [["half", "few", "absent"][at % 3] ?? ""], weight: at + 1 };
        });
        const page = { limit: 100, isOrdered: false };
        const each = terms.map(({ indexed, weight }) => {
          return weighted(matching(scope, [indexed], page), weight);
        });
        const once = weighedOnce(anyMatch(scope, terms, { ...page, window: 50 }), share);
        const found = await best(database, once, 60);
        const all = await best(database, weighedMatches(each, share), 60);
        expect(found).toEqual(all.filter(({ place }) => place >= "d10"));
        expect(found.length).toBeGreaterThan(3);
      }
    },
  );
});

function best(
  database: WholeDatabase,
  weighed: Statement,
  limit: number,
): Promise<{ place: string; worth: number }[]> {
  return database.scan.all(statement`select place, worth from (${weighed}) as weighed
    order by worth desc, place desc limit ${limit}`);
}
