import { expect, test } from "vitest";
import type { WorkspaceScope } from "#server/work/caller.ts";
import { isFileOwned } from "#server/files/reference-store.ts";
import { searchPassages } from "#server/domains/documents/store/passage-search.ts";
import { documentById } from "#server/domains/documents/store/documents.ts";
import { usageOf } from "#server/domains/quotas/store.ts";
import { describeInTurn } from "#test/support/databases.ts";
import { searched } from "./store/new-document.ts";
import {
  codeOf,
  createWorld,
  firstDocument,
  planning,
  upload,
  wallFile,
  type World,
} from "./world.ts";

const staff: WorkspaceScope = { id: planning, role: "tenant-staff" };
const inTrash = { trash: true };

describeInTurn("a document in the trash", (open) => {
  async function hitsOf(world: World): Promise<number> {
    const found = await searchPassages(
      world.database.scan,
      await searched(world.database, { workspaceId: planning }),
      { ranked: [{ indexed: ["wall"], weight: 1 }], frequent: [] },
      5,
    );
    return found.length;
  }

  test("is hidden from reads, lists, searches and quotas, and comes back as it was", async () => {
    const world = await createWorld(await open());
    const { documentId } = await firstDocument(world);
    const before = await world.documents.record(world.work, planning, documentId);
    const answer = await world.documents.delete(world.work, staff, documentId, inTrash);
    expect(answer).toEqual({
      documentId,
      trashed: true,
      restorableUntil: expect.any(String) as string,
    });
    expect(await codeOf(world.documents.record(world.work, planning, documentId))).toBe(
      "not-found",
    );
    expect(await codeOf(world.documents.content(world.work, planning, documentId))).toBe(
      "not-found",
    );
    const again = world.documents.delete(world.work, staff, documentId, inTrash);
    expect(await codeOf(again)).toBe("not-found");
    const list = { page: 1, limit: 5 };
    expect((await world.documents.list(world.work, planning, list)).items).toEqual([]);
    expect(await hitsOf(world)).toBe(0);
    expect(await usageOf(world.database.read, planning)).toMatchObject({ documents: 0, bytes: 0 });
    expect((await world.documents.deleted(world.work, planning, list)).items).toMatchObject([
      { documentId, restorableUntil: answer.restorableUntil },
    ]);
    const restored = await world.documents.restore(world.work, staff, documentId);
    expect(restored).toMatchObject({
      documentId,
      status: before.status,
      filename: before.filename,
    });
    const { bytes } = await world.documents.content(world.work, planning, documentId);
    expect(await new Response(bytes.stream()).text()).toBe("The wall is 2.4 metres high.");
    expect(await hitsOf(world)).toBe(1);
    expect((await world.documents.deleted(world.work, planning, list)).items).toEqual([]);
  });

  test("is never the original of another upload, and cannot come back next to it", async () => {
    const world = await createWorld(await open(), { isWorking: false });
    const { documentId: first = "" } = await upload(world, wallFile());
    await world.documents.delete(world.work, staff, first, inTrash);
    const second = await upload(world, wallFile());
    expect(second.duplicateOf).toBeUndefined();
    expect(second.documentId).not.toBe(first);
    expect(await codeOf(world.documents.restore(world.work, staff, first))).toBe("not-restorable");
    await world.documents.delete(world.work, staff, second.documentId ?? "");
    expect(await world.documents.restore(world.work, staff, first)).toMatchObject({
      documentId: first,
      status: "cancelled",
    });
  });

  test("keeps its bytes until it is deleted for good", async () => {
    const world = await createWorld(await open(), { isWorking: false });
    const { documentId = "" } = await upload(world, wallFile());
    const stored = await documentById(world.database.read, {
      workspaceId: planning,
      id: documentId,
    });
    const key = { workspaceId: planning, sha256: stored?.sha256 ?? "" };
    await world.documents.delete(world.work, staff, documentId, inTrash);
    expect(await isFileOwned(world.database.read, key)).toBe(true);
    expect(await world.documents.delete(world.work, staff, documentId)).toMatchObject({
      complete: true,
      removed: { file: true },
    });
    expect(await isFileOwned(world.database.read, key)).toBe(false);
    expect(await codeOf(world.documents.restore(world.work, staff, documentId))).toBe("not-found");
  });
});
