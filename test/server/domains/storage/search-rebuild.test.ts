import { expect, test } from "vitest";
import { SearchRebuild } from "#server/domains/storage/search-rebuild.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { newWorkspace, recordServices } from "#test/support/records.ts";
import { withWrites } from "#test/support/watched-database.ts";
import { testWorks } from "#test/support/work.ts";

describeOnEachDatabase("the rebuild of a search index", (open) => {
  test("that fails is reported to the caller and the log, and can start again", async () => {
    const database = await open();
    let isAway = true;
    const unreliable = withWrites(database, async (write) => {
      if (isAway) throw new Error("the database is away");
      return write();
    });
    const logged: unknown[] = [];
    const logger = {
      info: () => {},
      warn: () => {},
      error: (event: unknown) => logged.push(event),
    };
    const services = recordServices(database);
    const indexes = new SearchRebuild({ logger }, services.objectTypes, services.indexes);
    const { work } = testWorks(unreliable);
    const workspaceId = newWorkspace();
    await expect(indexes.rebuild(work, workspaceId)).rejects.toThrow("the database is away");
    expect(logged).toMatchObject([{ event: "search-rebuild-failed", workspaceId }]);
    isAway = false;
    await indexes.rebuild(work, workspaceId);
  });
});
