import { expect, test } from "vitest";
import type { Line } from "#server/domains/archives/import/copy-rows.ts";
import { copyRows } from "#server/domains/archives/import/copy-rows.ts";
import { beyondMost, withinMost } from "#server/domains/archives/import/row-bounds.ts";
import { copiedTables, type ArchivedTable } from "#server/domains/archives/tables.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";

const at = "2026-03-01T00:00:00.000Z";

function tableOf(part: string, rows: number): ArchivedTable {
  const found = copiedTables.find((table) => table.part === part);
  if (found?.most === undefined) throw new TypeError(`${part} has no most rows`);
  return { ...found, most: { ...found.most, rows } };
}

function example(classifier: string, id: string): Line {
  const made = { created_by: "someone", created_at: at };
  return { classifier_key: classifier, id, label: "a", text: "text", source: "request", ...made };
}

describeOnEachDatabase("the rows of an archive beyond those of a workspace", (open) => {
  test("are refused, each list by its own number; rows that are there stay", async () => {
    const { work } = testWorks(await open());
    const workspace = crypto.randomUUID();
    const table = tableOf("classifier-examples", 3);
    const copied = async (lines: readonly Line[]) => {
      const { within, beyond } = await withinMost(work.read, workspace, table, lines);
      await work.write((tx) => copyRows(tx, workspace, table, within));
      return beyond.map((line) => `${String(line["classifier_key"])}/${String(line["id"])}`);
    };
    const lines = ["1", "2", "3", "4"].map((id) => example("one", id));
    expect(await copied([...lines.slice(0, 2), example("two", "1")])).toEqual([]);
    expect(await copied([...lines, example("two", "2")])).toEqual(["one/4"]);
    expect(await copied(lines.slice(0, 3))).toEqual([]);
    expect(await copied([example("two", "3"), example("two", "4")])).toEqual(["two/4"]);
    const other = await withinMost(work.read, crypto.randomUUID(), table, lines.slice(0, 3));
    expect(other.beyond).toEqual([]);
  });
});

test("the reason has the number of rows and what they belong to", () => {
  expect(beyondMost({ rows: 5_000, per: "classifier_key" })).toBe(
    "is beyond the 5,000 that one classifier key may have",
  );
  expect(beyondMost({ rows: 100 })).toBe("is beyond the 100 that the workspace may have");
});
