import { expect, test } from "vitest";
import { createDiskBlobStore } from "#server/files/disk-blob-store.ts";
import { ListCursors } from "#server/kit/lists/cursors.ts";
import { ObjectTypeService } from "#server/domains/object-types/service.ts";
import { IndexMaintenance } from "#server/domains/records/indexes/index-maintenance.ts";
import { SearchWords } from "#server/search-index/word-list.ts";
import { SlowFilters } from "#server/domains/records/read/slow-filters.ts";
import { StorageService } from "#server/domains/storage/service.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { definition, typedWorkspace } from "#test/support/records.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { withWrites } from "#test/support/watched-database.ts";
import { testWorks } from "#test/support/work.ts";

describeOnEachDatabase("syncing storage with Object Types", (open) => {
  test("reports that an index could not be filled", async () => {
    const database = await open();
    const text = { type: "string" } as const;
    const made = definition({ properties: { code: text, title: text } });
    const { work, workspace, type, resources } = await typedWorkspace(database, made);
    await resources.create(work, workspace, "thing", { code: "a", title: "Oak" });
    let isAway = true;
    const unreliable = withWrites(database, async (write) => {
      if (isAway) throw new Error("the disk is away");
      return write();
    });
    const { works, feed } = testWorks(unreliable);
    const platformWork = works.forPlatform;
    const now = () => new Date();
    const logged: unknown[] = [];
    const logger = {
      info: () => {},
      warn: () => {},
      error: (event: unknown) => logged.push(event),
    };
    const words = new SearchWords(platformWork);
    const indexes = new IndexMaintenance({ platformWork, words, logger, now });
    const objectTypes = new ObjectTypeService({
      platformWork,
      feed,
      now,
      cursors: new ListCursors(new Uint8Array(32)),
      records: indexes,
    });
    const storage = new StorageService(
      {
        blobs: createDiskBlobStore(await temporaryDirectory("blobs")),
        blobProvider: "disk",
        now,
        logger,
      },
      {
        objectTypes,
        indexes,
        slowFilters: new SlowFilters({ thresholdMs: Number.POSITIVE_INFINITY }),
        embedding: { progress: async () => undefined },
      },
    );
    const properties = {
      code: { ...text, indexed: true },
      title: { ...text, searchable: true },
    };
    await objectTypes.update(work, workspace, type.id, { properties });
    const sync = async (backend: "documentdb" | "search") =>
      (await storage.syncSchema(work, workspace, { backend, dryRun: false })).results;
    const detail = "Not everything is done: sync again";
    expect(await sync("documentdb")).toMatchObject([{ state: "applied", detail }]);
    expect(await sync("search")).toMatchObject([{ state: "applied", detail }]);
    expect(logged).toContainEqual(expect.objectContaining({ event: "index-maintenance-failed" }));
    isAway = false;
    const [done] = await sync("documentdb");
    expect(done).toMatchObject({ state: "applied" });
    expect(done).not.toHaveProperty("detail");
    expect(await sync("search")).toMatchObject([{ state: "already_applied" }]);
    await indexes.stop();
    await storage.stop();
  });
});
