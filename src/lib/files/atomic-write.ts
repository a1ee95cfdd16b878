import type { Stats } from "node:fs";
import {
  constants,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  unlink,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { hasWriterEnded, writerMark, writerMarkPattern } from "../writer-mark.ts";

/**
 * Writes a file completely or not at all: a synced new file (`O_EXCL`) takes the target's name. A
 * pipe or a device is never replaced: root would remove `/dev/null` for all programs.
 */

export interface AtomicWriteOptions {
  /** Permission bits (default 0600); a file that is replaced keeps its narrower ones. */
  readonly mode?: number;
  /** Replaces the file that a symbolic link names; without it, the link is replaced. */
  readonly keepsLink?: boolean;
  /** Part of the new file's name, so that {@link removeAbandoned} finds only these. */
  readonly label?: string;
}

/** A new file without a change for so long has no writer: a download waits for less. */
const abandonedAfterMs = 60 * 60_000;
/** Folders that this process has looked at. */
const lookedAt = new Set<string>();
const lookedAtLimit = 1000;

/**
 * Removes the new files that killed processes have left in a folder: those with this label, or
 * without one, whose writer has ended, or that have not changed for `idleMs`.
 */
export async function removeAbandoned(
  folder: string,
  { label, idleMs = abandonedAfterMs }: { readonly label?: string; readonly idleMs?: number } = {},
): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const start = temporaryStart(label);
  for (const name of names) {
    const found = name.startsWith(start) ? temporaryEnd.exec(name.slice(start.length)) : null;
    if (found === null) continue;
    const path = join(folder, name);
    const facts = await lstat(path).catch(() => undefined);
    if (facts?.isFile() !== true) continue;
    const [, mark] = found;
    // The clock has whole milliseconds, the time of a change has fractions.
    const isIdle = Date.now() - Math.floor(facts.mtimeMs) >= idleMs;
    if (!isIdle && (mark === undefined || !(await hasWriterEnded(mark)))) continue;
    await unlink(path).catch(() => undefined);
  }
}

/** True for the name of a new file that a killed process may have left. */
export function isUnfinishedFile(name: string): boolean {
  const start = temporaryStart(undefined);
  return name.startsWith(start) && temporaryEnd.test(name.slice(start.length));
}

const temporaryEnd = new RegExp(
  `^(?:(${writerMarkPattern})-)?[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}\\.tmp$`,
);

function temporaryStart(label: string | undefined): string {
  return label === undefined ? ".svc-" : `.svc-${label}-`;
}

/** The writer's mark and a hyphen; nothing where there is no mark. */
async function markPrefix(): Promise<string> {
  const mark = await writerMark();
  return mark === undefined ? "" : `${mark}-`;
}

/** The path of the file itself where the path is a symbolic link; it need not exist. */
export async function linkedPath(path: string): Promise<string> {
  return await realpath(path).catch(async () => {
    const linked = await readlink(path).catch(() => undefined);
    return linked === undefined ? path : resolve(dirname(path), linked);
  });
}

/** The file that a write replaces; undefined for a new name and for a link. */
async function replaceable(path: string): Promise<Stats | undefined> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts === undefined || facts.isSymbolicLink()) return undefined;
  if (facts.isFile()) return facts;
  const code = facts.isDirectory() ? "EISDIR" : "EFTYPE";
  throw Object.assign(new Error(`${code}: ${path}`), { code, path });
}

/** A file being written; end it with `commit` or `discard`. */
export class AtomicFile {
  readonly #target: string;
  readonly #temporary: string;
  readonly #handle: FileHandle;
  #open = true;

  private constructor(target: string, temporary: string, handle: FileHandle) {
    this.#target = target;
    this.#temporary = temporary;
    this.#handle = handle;
  }

  /** Throws the system's error, e.g. `EACCES`, or `EFTYPE` for a target that is not a file. */
  static async create(path: string, options: AtomicWriteOptions = {}): Promise<AtomicFile> {
    const target = options.keepsLink === true ? await linkedPath(path) : path;
    const replaced = await replaceable(target);
    const folder = dirname(target);
    if (!lookedAt.has(folder)) {
      if (lookedAt.size >= lookedAtLimit) lookedAt.clear();
      lookedAt.add(folder);
      await removeAbandoned(folder);
    }
    const name = `${await markPrefix()}${crypto.randomUUID()}.tmp`;
    const temporary = join(folder, `${temporaryStart(options.label)}${name}`);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
    const handle = await open(temporary, flags, options.mode ?? 0o600);
    const file = new AtomicFile(target, temporary, handle);
    if (replaced === undefined) return file;
    try {
      const { mode } = await handle.stat();
      if ((mode & ~replaced.mode & 0o777) !== 0) await handle.chmod(mode & replaced.mode & 0o777);
      return file;
    } catch (error) {
      await file.discard();
      throw error;
    }
  }

  /** Writes all bytes: on a full disk the system writes a part and reports no error. */
  async write(bytes: Uint8Array): Promise<void> {
    let offset = 0;
    while (offset < bytes.byteLength) {
      const { bytesWritten } = await this.#handle.write(bytes, offset, bytes.byteLength - offset);
      if (bytesWritten === 0) throw new ShortWriteError();
      offset += bytesWritten;
    }
  }

  /** Makes the file appear under its name; the name then survives a power cut. */
  async commit(): Promise<void> {
    try {
      await this.#handle.sync();
      await this.#close();
      await rename(this.#temporary, this.#target);
    } catch (error) {
      await this.discard();
      throw error;
    }
    await syncFolder(dirname(this.#target));
  }

  /** Removes what was written; does nothing after `commit`. */
  async discard(): Promise<void> {
    try {
      await this.#close();
    } catch {
      // The file is removed next, so a failure of its last bytes does not matter.
    }
    await unlink(this.#temporary).catch(() => undefined);
  }

  async #close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.#handle.close();
  }
}

/** The system wrote no bytes and gave no reason. */
class ShortWriteError extends Error {
  override readonly name = "ShortWriteError";
  readonly code = "ENOSPC";
  constructor() {
    super("The system wrote no bytes");
  }
}

/** Replaces a small file in one step. */
export async function writeFileAtomically(
  target: string,
  content: string | Uint8Array,
  options: AtomicWriteOptions = {},
): Promise<void> {
  await saveAtomically(
    target,
    [typeof content === "string" ? new TextEncoder().encode(content) : content],
    options,
  );
}

/** Streams into a file that appears after the last chunk; returns the number of bytes. */
export async function saveAtomically(
  target: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: AtomicWriteOptions = {},
): Promise<number> {
  const file = await AtomicFile.create(target, options);
  let size = 0;
  try {
    for await (const chunk of chunks) {
      await file.write(chunk);
      size += chunk.byteLength;
    }
  } catch (error) {
    await file.discard();
    throw error;
  }
  await file.commit();
  return size;
}

/** Creates a folder that only its owner may enter, and its parents. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

async function syncFolder(path: string): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY);
  } catch {
    return;
  }
  try {
    await handle.sync();
  } catch {
    // Some file systems do not sync folders.
  } finally {
    await handle.close();
  }
}
