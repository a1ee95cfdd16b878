import { rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "#contract/problems.ts";
import { requireWorkspaceId } from "./blob-address.ts";
import type { BlobAddress, StageOptions } from "./blob-store.ts";
import { FileWriter } from "./file-writer.ts";
import { makeFolder, namesIn } from "./folders.ts";

/** A complete staged file says in its name which blob it may become: the crash sweep reads it. */
const stagedPattern = /^([0-9a-f-]{36})\.([0-9a-f]{64})\.[0-9a-f-]{36}\.(staged|upload)$/;

/** A file that has arrived whole and is synced, and that nobody can read yet. */
export interface StagedFile {
  readonly path: string;
  readonly address: BlobAddress;
  readonly size: number;
  /** Beside it, with the same life: for what an engine has to remember of its upload. */
  readonly notePath: string;
}

/** What stands in a staging folder after a crash. */
export interface Leftover {
  readonly path: string;
  /** Undefined where the file had not arrived whole. */
  readonly address: BlobAddress | undefined;
  /** Whether it is an engine's note beside the staged file. */
  readonly isNote: boolean;
}

/** A local folder where files wait until they are published or given up. */
export class StagingFolder {
  readonly #directory: string;
  #exists = false;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** As `BlobStore.stage`: flat memory, one digest; whatever goes wrong, nothing stays. */
  async take(
    workspaceId: string,
    content: AsyncIterable<Uint8Array>,
    options: StageOptions,
  ): Promise<StagedFile> {
    requireWorkspaceId(workspaceId);
    const id = crypto.randomUUID();
    const writer = await this.#create(`${id}.part`);
    try {
      const { sha256, size } = await copy(content, writer, options);
      const name = join(this.#directory, `${workspaceId}.${sha256}.${id}`);
      const path = `${name}.staged`;
      await rename(writer.path, path);
      return { path, address: { workspaceId, sha256 }, size, notePath: `${name}.upload` };
    } catch (error) {
      await writer.abandon();
      throw error;
    }
  }

  /** Runs `work` with the path of a local copy, and the copy's digest; then it is removed. */
  async lend<Result>(
    content: AsyncIterable<Uint8Array>,
    work: (path: string, sha256: string) => Promise<Result>,
  ): Promise<Result> {
    const writer = await this.#create(`${crypto.randomUUID()}.part`);
    try {
      const hasher = new Bun.CryptoHasher("sha256");
      for await (const chunk of content) {
        hasher.update(chunk);
        await writer.write(chunk);
      }
      await writer.finish({ isDurable: false });
      return await work(writer.path, hasher.digest("hex"));
    } finally {
      await writer.abandon();
    }
  }

  async leftovers(): Promise<Leftover[]> {
    return (await namesIn(this.#directory)).map((name) => {
      const [, workspaceId, sha256, kind] = stagedPattern.exec(name) ?? [];
      const isStaged = workspaceId !== undefined && sha256 !== undefined;
      return {
        path: join(this.#directory, name),
        address: isStaged ? { workspaceId, sha256 } : undefined,
        isNote: kind === "upload",
      };
    });
  }

  async #create(name: string): Promise<FileWriter> {
    if (!this.#exists) await makeFolder(this.#directory);
    this.#exists = true;
    return FileWriter.create(join(this.#directory, name));
  }
}

/** Never throws: what cannot be removed is swept at the next start. */
export async function removeStaged(path: string): Promise<void> {
  await unlink(path).catch(() => {});
}

async function copy(
  content: AsyncIterable<Uint8Array>,
  writer: FileWriter,
  { limitBytes, signal }: StageOptions,
): Promise<{ sha256: string; size: number }> {
  const hasher = new Bun.CryptoHasher("sha256");
  let size = 0;
  for await (const chunk of content) {
    signal?.throwIfAborted();
    size += chunk.byteLength;
    if (size > limitBytes) {
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
  return { sha256: hasher.digest("hex"), size };
}
