import { expect, test } from "vitest";
import type { Database } from "#server/database/database.ts";
import { SearchRebuild } from "#server/domains/storage/search-rebuild.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { newWorkspace, recordServices } from "#test/support/records.ts";

describeOnEachDatabase("the rebuild of a search index", (open) => {
  test("that fails is reported to the caller and the log, and can start again", async () => {
    const database = await open();
    let isAway = true;
    const unreliable: Database = {
      ...database,
      dialect: database.dialect,
      get read() {
        if (isAway) throw new Error("the database is away");
        return database.read;
      },
    };
    const logged: unknown[] = [];
    const logger = {
      info: () => {},
      warn: () => {},
      error: (event: unknown) => logged.push(event),
    };
    const services = recordServices(database);
    const indexes = new SearchRebuild(
      { database: unreliable, logger },
      services.objectTypes,
      services.indexes,
    );
    const workspaceId = newWorkspace();
    await expect(indexes.rebuild(workspaceId)).rejects.toThrow("the database is away");
    expect(logged).toMatchObject([{ event: "search-rebuild-failed", workspaceId }]);
    isAway = false;
    await indexes.rebuild(workspaceId);
  });
});
