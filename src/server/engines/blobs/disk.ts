import { constants } from "node:fs";
import { copyFile, link, mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Refusal } from "#contract/problems.ts";
import { BlobMissingError } from "./blob-store.ts";
import type {
  BlobAddress,
  BlobStore,
  StagedBlob,
  StageOptions,
  SweepResult,
} from "./blob-store.ts";
import { FileWriter, storageFault } from "./file-writer.ts";

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const digestPattern = /^[0-9a-f]{64}$/;
/** A complete staged file says in its name which blob it may become: the crash sweep reads it. */
const stagedPattern = /^([0-9a-f-]{36})\.([0-9a-f]{64})\.[0-9a-f-]{36}\.staged$/;

/**
 * Blobs in a folder: `<directory>/<workspace>/ab/cd/<sha256>`. A file is written in `staging`,
 * synced, linked to its address, and the folder is synced too: after a power cut it is there
 * whole or not at all. Names come from digests and UUIDs only, never from a caller.
 */
export function createDiskBlobStore(directory: string): BlobStore {
  const staging = join(directory, "staging");
  let hasStaging = false;

  function pathOf({ workspaceId, sha256 }: BlobAddress): string {
    if (!uuidPattern.test(workspaceId) || !digestPattern.test(sha256)) {
      throw new TypeError("Cannot address a blob: wanted a workspace's UUID and a SHA-256 digest");
    }
    return join(directory, workspaceId, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  }

  async function size(address: BlobAddress): Promise<number | undefined> {
    const path = pathOf(address);
    try {
      return (await stat(path)).size;
    } catch (error) {
      if (isCode(error, "ENOENT")) return undefined;
      throw storageFault(error, "look at a file");
    }
  }

  async function remove(address: BlobAddress): Promise<boolean> {
    const path = pathOf(address);
    try {
      await unlink(path);
      await syncFolder(dirname(path));
      return true;
    } catch (error) {
      if (isCode(error, "ENOENT")) return false;
      throw storageFault(error, "remove a file");
    }
  }

  return {
    async stage(workspaceId, content, options): Promise<StagedBlob> {
      if (!hasStaging) await makeFolder(staging);
      hasStaging = true;
      const id = crypto.randomUUID();
      const writer = await FileWriter.create(join(staging, `${id}.part`));
      try {
        const { sha256, bytes } = await take(content, writer, options);
        const address = { workspaceId, sha256 };
        const target = pathOf(address);
        const staged = join(staging, `${workspaceId}.${sha256}.${id}.staged`);
        await rename(writer.path, staged);
        return {
          address,
          size: bytes,
          publish: () => publish(staged, target, bytes),
          discard: () => unlink(staged).catch(() => {}),
        };
      } catch (error) {
        await writer.abandon();
        throw error;
      }
    },

    async open(address) {
      return (await size(address)) === undefined ? undefined : Bun.file(pathOf(address));
    },

    async withFile(address, work) {
      if ((await size(address)) === undefined) throw new BlobMissingError(address);
      return work(pathOf(address));
    },

    async stat(address) {
      const bytes = await size(address);
      return bytes === undefined ? undefined : { size: bytes };
    },

    remove,

    async *list(workspaceId) {
      if (!uuidPattern.test(workspaceId)) throw new TypeError("Cannot list: wanted a UUID");
      const root = join(directory, workspaceId);
      for (const first of await names(root)) {
        for (const second of await names(join(root, first))) {
          for (const sha256 of await names(join(root, first, second))) {
            if (!digestPattern.test(sha256)) continue;
            const bytes = await size({ workspaceId, sha256 });
            if (bytes !== undefined) yield { workspaceId, sha256, size: bytes };
          }
        }
      }
    },

    async sweep(isOwned): Promise<SweepResult> {
      let unfinished = 0;
      let unowned = 0;
      for (const name of await names(staging)) {
        const [, workspaceId, sha256] = stagedPattern.exec(name) ?? [];
        if (workspaceId !== undefined && sha256 !== undefined) {
          const address = { workspaceId, sha256 };
          if (!(await isOwned(address)) && (await remove(address))) unowned += 1;
        }
        await unlink(join(staging, name)).catch(() => {});
        unfinished += 1;
      }
      return { unfinished, unowned };
    },
  };
}

async function take(
  content: AsyncIterable<Uint8Array>,
  writer: FileWriter,
  { limitBytes, signal }: StageOptions,
): Promise<{ sha256: string; bytes: number }> {
  const hasher = new Bun.CryptoHasher("sha256");
  let bytes = 0;
  for await (const chunk of content) {
    signal?.throwIfAborted();
    bytes += chunk.byteLength;
    if (bytes > limitBytes) {
      throw new Refusal("content-too-large", {
        detail: `A file may have at most ${limitBytes} bytes`,
        members: { limitBytes },
      });
    }
    hasher.update(chunk);
    await writer.write(chunk);
  }
  signal?.throwIfAborted();
  await writer.finish();
  return { sha256: hasher.digest("hex"), bytes };
}

/**
 * A link leaves the staged file where it is, as the mark that this upload is not accepted yet.
 * File systems without links get a copy, which takes its place by an atomic rename.
 */
async function publish(
  staged: string,
  target: string,
  bytes: number,
): Promise<{ existed: boolean }> {
  try {
    const folder = dirname(target);
    await makeFolder(folder);
    let existed = false;
    try {
      await link(staged, target);
    } catch (error) {
      if (isCode(error, "EEXIST")) existed = (await stat(target)).size === bytes;
      else if (!isCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK")) throw error;
      if (!existed) await copyInPlace(staged, target);
    }
    await syncFolder(folder);
    return { existed };
  } catch (error) {
    throw storageFault(error, "store a file");
  }
}

async function copyInPlace(staged: string, target: string): Promise<void> {
  const copy = `${staged}.copy`;
  try {
    await copyFile(staged, copy, constants.COPYFILE_FICLONE);
    const handle = await open(copy, "r+");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(copy, target);
  } catch (error) {
    await unlink(copy).catch(() => {});
    throw error;
  }
}

/** Makes the folder and its parents, each one's entry durable in the one above it. */
async function makeFolder(path: string): Promise<void> {
  try {
    const first = await mkdir(path, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    for (let folder = path; folder.length >= first.length; folder = dirname(folder)) {
      await syncFolder(dirname(folder));
    }
  } catch (error) {
    throw storageFault(error, "make a folder");
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function names(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR")) return [];
    throw storageFault(error, "list files");
  }
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
