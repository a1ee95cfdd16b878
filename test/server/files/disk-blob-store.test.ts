import { randomBytes } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { BlobAddress } from "#server/files/blob-store.ts";
import { createDiskBlobStore } from "#server/files/disk-blob-store.ts";
import { StorageFullError } from "#server/kit/storage-errors.ts";
import { describeNeeding } from "../../support/needs.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { missingTmpfs, mountTmpfs } from "../../support/tmpfs.ts";
import { describeBlobStore, limitBytes, planning, put } from "./each-engine.ts";
import type { StoreUnderTest } from "./each-engine.ts";

async function create(): Promise<StoreUnderTest & { directory: string }> {
  const directory = await temporaryDirectory("blobs");
  const pathOf = ({ workspaceId, sha256 }: BlobAddress): string =>
    join(directory, workspaceId, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  return {
    directory,
    blobs: createDiskBlobStore(directory),
    stagingDirectory: join(directory, "staging"),
    reopen: async () => createDiskBlobStore(directory),
    damage: (address, text) => writeFile(pathOf(address), text),
    count: async () => {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile() && !entry.parentPath.endsWith("/staging"))
        .length;
    },
  };
}

describeBlobStore("a folder", create);

test("a list skips stray files", async () => {
  const { blobs, directory } = await create();
  const blob = await put(blobs, planning, "listed");
  await mkdir(join(directory, planning, "zz"));
  await writeFile(join(directory, planning, "zz", "stray"), "");
  const listed = await Array.fromAsync(blobs.list(planning));
  expect(listed).toEqual([{ workspaceId: planning, sha256: blob.sha256, size: 6 }]);
});

describeNeeding("a full disk", missingTmpfs, () => {
  test("is a typed error that leaves nothing, and uploads work again with new room", async () => {
    const directory = await temporaryDirectory("full");
    await using _mounted = await mountTmpfs(directory, 4 * 1024 * 1024);
    const blobs = createDiskBlobStore(directory);
    const small = await put(blobs, planning, new Uint8Array(1024 * 1024));
    async function* tooMuch() {
      for (let megabyte = 0; megabyte < 8; megabyte += 1) yield randomBytes(1024 * 1024);
    }
    await expect(blobs.stage(planning, tooMuch(), { limitBytes })).rejects.toThrow(
      StorageFullError,
    );
    expect(await readdir(join(directory, "staging"))).toEqual([]);
    expect(await blobs.stat(small)).toEqual({ size: 1024 * 1024 });
    const next = await put(blobs, planning, randomBytes(2 * 1024 * 1024));
    expect(await blobs.stat(next)).toEqual({ size: 2 * 1024 * 1024 });
  });
});
