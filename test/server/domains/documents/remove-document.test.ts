import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import type { BlobAddress } from "#server/files/blob-store.ts";
import type { WorkspaceScope } from "#server/work/caller.ts";
import { isFileOwned } from "#server/files/reference-store.ts";
import { documentById } from "#server/domains/documents/store/documents.ts";
import { searchPassages } from "#server/domains/documents/store/passage-search.ts";
import { searched } from "./store/new-document.ts";
import { describeInTurn } from "#test/support/databases.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import {
  codeOf,
  createWorld,
  firstDocument,
  licensing,
  planning,
  upload,
  wallFile,
} from "./world.ts";

const idle = { isWorking: false };
const staff: WorkspaceScope = { id: planning, role: "tenant-staff" };
const builder: WorkspaceScope = { id: planning, role: "tenant-builder" };

describeInTurn("deleting a document", (open) => {
  test("removes file, analysis and passages, and reports them", async () => {
    const world = await createWorld(await open());
    const { documentId, chunkCount } = await firstDocument(world);
    expect(await world.documents.delete(world.work, staff, documentId)).toEqual({
      documentId,
      removed: { file: true, analysis: true, chunks: chunkCount, vectors: 0 },
      complete: true,
    });
    expect(await codeOf(world.documents.record(world.work, planning, documentId))).toBe(
      "not-found",
    );
    expect(await codeOf(world.documents.delete(world.work, staff, documentId))).toBe("not-found");
    const found = await searchPassages(
      world.database.scan,
      await searched(world.database, { workspaceId: planning }),
      { ranked: [{ indexed: ["wall"], weight: 1 }], frequent: [] },
      5,
    );
    expect(found).toEqual([]);
    const left = await readdir(world.dataDirectory, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile())).toEqual([]);
  });

  test("is for its uploader or a builder", async () => {
    const world = await createWorld(await open(), idle);
    const { documentId = "" } = await upload(world, wallFile());
    const other = world.as(licensing);
    expect(await codeOf(world.documents.delete(other, staff, documentId))).toBe(
      "permission-denied",
    );
    const elsewhere = { ...builder, id: licensing };
    expect(await codeOf(world.documents.delete(other, elsewhere, documentId))).toBe("not-found");
    expect(await world.documents.delete(other, builder, documentId)).toMatchObject({
      complete: true,
    });
  });

  test("keeps a file that another document also has", async () => {
    const world = await createWorld(await open(), idle);
    const one = await upload(world, wallFile());
    const two = await upload(world, wallFile(), { processing_mode: "store_only" });
    const first = await world.documents.delete(world.work, staff, one.documentId ?? "");
    expect(first.removed?.["file"]).toBe(false);
    const { bytes } = await world.documents.content(world.work, planning, two.documentId ?? "");
    expect(await new Response(bytes.stream()).text()).toBe("The wall is 2.4 metres high.");
    const second = await world.documents.delete(world.work, staff, two.documentId ?? "");
    expect(second.removed?.["file"]).toBe(true);
  });

  test("cancels a job without other documents", async () => {
    const world = await createWorld(await open(), idle);
    const alone = await upload(world, wallFile("alone"));
    await world.documents.delete(world.work, staff, alone.documentId ?? "");
    const key = { workspaceId: planning, id: alone.jobId };
    expect((await world.documents.jobs.get(world.work, key)).status).toBe("cancelled");
    const shared = await upload(world, [wallFile("one"), wallFile("two", "two.txt")]);
    await world.documents.delete(world.work, staff, shared.documentId ?? "");
    const left = await world.documents.jobs.get(world.work, {
      workspaceId: planning,
      id: shared.jobId,
    });
    expect(left).toMatchObject({ status: "queued", documents: [{ filename: "two.txt" }] });
  });

  test("a job whose document was deleted can't be retried", async () => {
    const world = await createWorld(await open(), idle);
    const { documentId = "", jobId } = await upload(world, wallFile());
    await world.documents.delete(world.work, staff, documentId);
    const retried = world.documents.jobs.retry(world.work, { workspaceId: planning, id: jobId });
    await expect(retried).rejects.toThrow("its documents are deleted");
  });

  test("that fails is 503 and incomplete, and continues with the next request", async () => {
    const disk = { isFailing: true };
    const world = await createWorld(await open(), {
      blobs: (blobs) => ({
        ...blobs,
        remove: async (address) => {
          if (disk.isFailing) throw new Error("the disk does not answer");
          return blobs.remove(address);
        },
      }),
    });
    const { documentId, chunkCount, sha256 = "" } = await firstDocument(world);
    const failure = await world.documents
      .delete(world.work, staff, documentId)
      .catch((error) => error);
    expect(failure).toMatchObject({
      code: "storage-unavailable",
      status: 503,
      options: {
        members: {
          documentId,
          complete: false,
          removed: { file: false, analysis: true, chunks: chunkCount, vectors: 0 },
        },
      },
    });
    expect(await codeOf(world.documents.record(world.work, planning, documentId))).toBe(
      "not-found",
    );
    expect((await world.documents.list(world.work, planning, {})).items).toEqual([]);
    disk.isFailing = false;
    expect(await world.documents.delete(world.work, staff, documentId)).toMatchObject({
      removed: { file: true, chunks: 0 },
      complete: true,
    });
    expect(await world.blobs.stat({ workspaceId: planning, sha256 })).toBeUndefined();
  });

  test("that a crash interrupted is completed at the next start", async () => {
    const database = await open();
    const dataDirectory = await temporaryDirectory("removal");
    const failing = await createWorld(database, {
      dataDirectory,
      blobs: (blobs) => ({
        ...blobs,
        remove: async () => {
          throw new Error("killed");
        },
      }),
    });
    const { documentId, sha256 = "" } = await firstDocument(failing);
    await codeOf(failing.documents.delete(failing.work, staff, documentId));
    await failing.stop();
    const world = await createWorld(database, { dataDirectory });
    const key = { workspaceId: planning, id: documentId };
    expect(await documentById(database.read, key)).toBeUndefined();
    expect(await world.blobs.stat({ workspaceId: planning, sha256 })).toBeUndefined();
  });

  test("a concurrent upload of the same bytes waits for it, and is complete", async () => {
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
    const world = await createWorld(await open(), {
      ...idle,
      blobs: (blobs) => ({
        ...blobs,
        remove: async (address) => {
          await gate;
          return blobs.remove(address);
        },
      }),
    });
    const first = await upload(world, wallFile());
    const deleting = world.documents.delete(world.work, staff, first.documentId ?? "");
    await expect
      .poll(() => codeOf(world.documents.record(world.work, planning, first.documentId ?? "")))
      .toBe("not-found");
    const uploading = upload(world, wallFile());
    await Bun.sleep(60);
    openGate();
    expect((await deleting).complete).toBe(true);
    const second = await uploading;
    expect(second.documentId).not.toBe(first.documentId);
    const { bytes, sha256 } = await world.documents.content(
      world.work,
      planning,
      second.documentId ?? "",
    );
    expect(await new Response(bytes.stream()).text()).toBe("The wall is 2.4 metres high.");
    expect(await isFileOwned(world.database.read, { workspaceId: planning, sha256 })).toBe(true);
  });

  test("does not remove the same bytes while they are being stored again", async () => {
    const removing: { now: (address: BlobAddress) => Promise<unknown> } = { now: async () => {} };
    const world = await createWorld(await open(), {
      ...idle,
      blobs: (blobs) => ({
        ...blobs,
        stage: async (...given) => {
          const staged = await blobs.stage(...given);
          return {
            ...staged,
            get mayBePublished() {
              return staged.mayBePublished;
            },
            publish: async () => {
              const published = await staged.publish();
              await removing.now(staged.address);
              return published;
            },
          };
        },
      }),
    });
    let removals = 0;
    removing.now = async (address) => {
      removals += 1;
      if (removals === 1) expect(await world.removals.remove(address, 28)).toBe(true);
    };
    const { documentId = "" } = await upload(world, wallFile());
    expect(removals).toBe(2);
    const { bytes } = await world.documents.content(world.work, planning, documentId);
    expect(await new Response(bytes.stream()).text()).toBe("The wall is 2.4 metres high.");
  });
});
