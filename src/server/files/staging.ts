import { rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "#contract/problems.ts";
import { requireWorkspaceId, type BlobAddress, type StageOptions } from "./blob-store.ts";
import { FileWriter } from "./file-writer.ts";
import { makeFolder, namesIn } from "./folders.ts";

/** The name of a complete staged file has its blob's address, for the sweep after a crash. */
const stagedPattern = /^([0-9a-f-]{36})\.([0-9a-f]{64})\.[0-9a-f-]{36}\.(staged|upload)$/;

/** A complete and synced file that clients cannot read yet. */
export interface StagedFile {
  readonly path: string;
  readonly address: BlobAddress;
  readonly size: number;
  /** The file for the engine's data of this upload. */
  readonly notePath: string;
}

/** A file in a staging folder after a crash. */
export interface Leftover {
  readonly path: string;
  /** Undefined for an incomplete file. */
  readonly address: BlobAddress | undefined;
  /** True if it is a {@link StagedFile.notePath}. */
  readonly isNote: boolean;
}

/** A local folder where files wait until they are published or discarded. */
export class StagingFolder {
  #exists = false;

  constructor(private readonly directory: string) {}

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
      const name = join(this.directory, `${workspaceId}.${sha256}.${id}`);
      const path = `${name}.staged`;
      await rename(writer.path, path);
      return { path, address: { workspaceId, sha256 }, size, notePath: `${name}.upload` };
    } catch (error) {
      await writer.abandon();
      throw error;
    }
  }

  /** Runs `work` with the path and digest of a local copy, then removes the copy. */
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
    return (await namesIn(this.directory)).map((name) => {
      const [, workspaceId, sha256, kind] = stagedPattern.exec(name) ?? [];
      const isStaged = workspaceId !== undefined && sha256 !== undefined;
      return {
        path: join(this.directory, name),
        address: isStaged ? { workspaceId, sha256 } : undefined,
        isNote: kind === "upload",
      };
    });
  }

  async #create(name: string): Promise<FileWriter> {
    if (!this.#exists) await makeFolder(this.directory);
    this.#exists = true;
    return FileWriter.create(join(this.directory, name));
  }
}

/** It never throws: the next start sweeps leftovers. */
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
