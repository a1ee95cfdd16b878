import { expect, test } from "vitest";
import type { Reader, ScanOptions } from "#server/database/database.ts";
import { ScanStoppedError } from "#server/kit/storage-errors.ts";
import { render, type Statement } from "#server/database/statement.ts";
import type { Database } from "#server/database/database.ts";
import { describeOnEachDatabase, type WholeDatabase } from "#test/support/databases.ts";
import { definition, newWorkspace, recordServices } from "#test/support/records.ts";
import { withViews } from "#test/support/watched-database.ts";

describeOnEachDatabase("a search for a common word with a filter that no index serves", (open) => {
  test("looks through records for one while in all, however many types there are", async () => {
    const database = await open();
    const workspaceId = newWorkspace();
    const services = recordServices(database);
    for (const slug of ["one", "two", "three"]) {
      const properties = {
        text: { type: "text", searchable: true },
        n: { type: "integer" },
      } as const;
      const name = slug.toUpperCase();
      await services.objectTypes.create(
        services.work,
        workspaceId,
        definition({ name, slug, properties }),
      );
      const scope = { workspaceId, slug };
      const items = Array.from({ length: 400 }, (_, n) => ({ text: "a garage", n }));
      const batch = { items, isAtomic: true, namesRecords: false, placeOf: () => [] };
      await services.resources.batch.create(services.work, scope, batch);
    }
    const begun: (AbortSignal | undefined)[] = [];
    const { work, resources } = recordServices(withEndlessLists(database, begun));
    const answer = await resources.search.run(
      work,
      workspaceId,
      { query: "garage", mode: "fulltext", limit: 20, where: { n: 399 } },
      new AbortController().signal,
    );
    // The response has the results of the word index; the rest was waited for once, for a limited
    // time.
    expect(answer.results.map(({ type }) => type).toSorted()).toEqual(["one", "three", "two"]);
    expect(begun).toHaveLength(1);
    expect(begun[0]?.aborted).toBe(true);
  });
});

const newestFirst = /order by resources\.(id|record_number) desc limit/;

/** Lists of records end only when their caller stops waiting. */
function withEndlessLists(database: WholeDatabase, begun: (AbortSignal | undefined)[]): Database {
  const endless = (options: ScanOptions): Reader => {
    const reader = database.scan.with(options);
    const all = async <Row>(statement: Statement): Promise<Row[]> => {
      const { text } = render(statement, database.dialect);
      if (!newestFirst.test(text)) return reader.all<Row>(statement);
      const { signal } = options;
      begun.push(signal);
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      throw new ScanStoppedError("The scan was stopped", "aborted");
    };
    return { dialect: reader.dialect, first: (one) => reader.first(one), all };
  };
  const scan = Object.assign(endless({}), { with: endless });
  return withViews(database, () => ({ scan }));
}
