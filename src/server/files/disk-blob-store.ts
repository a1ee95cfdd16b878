import { constants } from "node:fs";
import { access, copyFile, link, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BlobMissingError, isDigest, requireAddress, requireWorkspaceId } from "./blob-store.ts";
import type { BlobAddress, BlobStore, StagedBlob, SweepResult } from "./blob-store.ts";
import { digestOf } from "./copy-blob.ts";
import { storageFault } from "./file-writer.ts";
import { isCode, makeFolder, namesIn, syncFile, syncFolder } from "./folders.ts";
import { removeStaged, StagingFolder } from "./staging.ts";

/** A concurrent removal of the same blob costs one attempt. */
const linkAttempts = 5;

/**
 * Stores blobs in `<directory>/<workspace>/ab/cd/<sha256>`. A file is written in `staging`, synced
 * and linked, and its folder is synced: after a power cut it exists whole or not at all.
 */
export function createDiskBlobStore(directory: string): BlobStore {
  const staging = new StagingFolder(join(directory, "staging"));
  const pathOf = (address: BlobAddress): string => {
    requireAddress(address);
    const { workspaceId, sha256 } = address;
    return join(directory, workspaceId, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  };
  return {
    async stage(workspaceId, content, options): Promise<StagedBlob> {
      const { path, address, size } = await staging.take(workspaceId, content, options);
      let mayBePublished = false;
      return {
        address,
        size,
        get mayBePublished() {
          return mayBePublished;
        },
        publish: () => {
          mayBePublished = true;
          return publish(path, pathOf(address), address.sha256);
        },
        discard: () => removeStaged(path),
      };
    },
    async open(address) {
      const path = pathOf(address);
      return (await sizeOf(path)) === undefined ? undefined : Bun.file(path);
    },
    async withFile(address, work) {
      const path = pathOf(address);
      if ((await sizeOf(path)) === undefined) throw new BlobMissingError(address);
      return work(path);
    },
    async stat(address) {
      const size = await sizeOf(pathOf(address));
      return size === undefined ? undefined : { size };
    },
    remove: async (address) => removeFile(pathOf(address)),
    async *list(workspaceId) {
      requireWorkspaceId(workspaceId);
      for await (const sha256 of digestsIn(join(directory, workspaceId))) {
        const size = await sizeOf(pathOf({ workspaceId, sha256 }));
        if (size !== undefined) yield { workspaceId, sha256, size };
      }
    },
    async removeFolder(workspaceId) {
      requireWorkspaceId(workspaceId);
      try {
        await rm(join(directory, workspaceId), { recursive: true, force: true });
      } catch (error) {
        throw storageFault(error, "remove a workspace's folder");
      }
    },
    async sweep(isOwned): Promise<SweepResult> {
      const swept = { unfinished: 0, unowned: 0 };
      for (const { path, address } of await staging.leftovers()) {
        const isUnowned = address !== undefined && !(await isOwned(address));
        if (isUnowned && (await removeFile(pathOf(address)))) swept.unowned += 1;
        await removeStaged(path);
        swept.unfinished += 1;
      }
      return swept;
    },
    check: () => checkFolder(directory),
  };
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw storageFault(error, "read a file's size");
  }
}

async function removeFile(path: string): Promise<boolean> {
  try {
    await unlink(path);
    await syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (isCode(error, "ENOENT")) return false;
    throw storageFault(error, "remove a file");
  }
}

async function* digestsIn(root: string): AsyncGenerator<string, void, void> {
  for (const first of await namesIn(root)) {
    for (const second of await namesIn(join(root, first))) {
      for (const name of await namesIn(join(root, first, second))) {
        if (isDigest(name)) yield name;
      }
    }
  }
}

async function checkFolder(directory: string): Promise<void> {
  const mayWrite = constants.W_OK | constants.X_OK;
  try {
    await access(directory, mayWrite).catch((error: unknown) => {
      // The first file creates the folder.
      if (isCode(error, "ENOENT")) return access(dirname(directory), mayWrite);
      throw error;
    });
  } catch (error) {
    throw storageFault(error, "use the files folder");
  }
}

/**
 * Links the staged file, which still marks an upload that is not accepted yet. File systems without
 * links get a copy and an atomic rename.
 */
async function publish(
  staged: string,
  target: string,
  sha256: string,
): Promise<{ existed: boolean }> {
  try {
    const folder = dirname(target);
    await makeFolder(folder);
    const existed = await linkOrFind(staged, target, sha256);
    if (existed === undefined) await copyInPlace(staged, target);
    await syncFolder(folder);
    return { existed: existed === true };
  } catch (error) {
    throw storageFault(error, "store a file");
  }
}

/**
 * True if the blob existed already; undefined if a copy is needed. The digest of an existing file
 * is checked, because an accepted upload must not depend on a damaged file.
 */
async function linkOrFind(
  staged: string,
  target: string,
  sha256: string,
): Promise<boolean | undefined> {
  for (let attempt = 1; attempt <= linkAttempts; attempt += 1) {
    try {
      await link(staged, target);
      return false;
    } catch (error) {
      if (isCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK")) return undefined;
      if (!isCode(error, "EEXIST")) throw error;
    }
    try {
      const isSound =
        (await stat(target)).size === (await stat(staged)).size &&
        (await digestOf(Bun.file(target).stream())) === sha256;
      return isSound ? true : undefined;
    } catch (error) {
      // A removal ran between link and stat: link again.
      if (!isCode(error, "ENOENT")) throw error;
    }
  }
  return undefined;
}

async function copyInPlace(staged: string, target: string): Promise<void> {
  const copy = `${staged}.copy`;
  try {
    await copyFile(staged, copy, constants.COPYFILE_FICLONE);
    await syncFile(copy);
    await rename(copy, target);
  } catch (error) {
    await unlink(copy).catch(() => {});
    throw error;
  }
}
