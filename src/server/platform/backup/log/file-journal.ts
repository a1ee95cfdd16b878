import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { parsedJson } from "#lib/json/value.ts";
import { isCode, namesIn } from "../../../files/folders.ts";
import { storageFault } from "../../../files/file-writer.ts";
import type { PublishedFile } from "../../../files/published-files.ts";

const ending = ".ndjson";
const longestBytes = 8 * 1024 * 1024;
/** Files whose transactions may not have committed when the next journal begins. */
const recentFiles = 1_000;

/**
 * Names of the files that a platform publishes, for the process that ships them with the log. A
 * process that finds another journal than before compares all files.
 */
export class FileJournal {
  #path: string | undefined;
  #bytes = 0;
  #recent: string[] = [];

  constructor(
    private readonly folder: string,
    private readonly limitBytes = longestBytes,
  ) {}

  /** Begins another journal. Call it when the data directory is locked. */
  begin(): void {
    const path = join(this.folder, `${crypto.randomUUID()}${ending}`);
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, this.#recent.join(""), { mode: 0o600 });
    for (const name of readdirSync(this.folder)) {
      if (join(this.folder, name) !== path) rmSync(join(this.folder, name), { force: true });
    }
    [this.#path, this.#bytes] = [path, 0];
  }

  /** Resolves when the name would survive a kill of the process. */
  async note({ workspaceId, sha256, size }: PublishedFile): Promise<void> {
    const line = `${JSON.stringify({ workspaceId, sha256, size })}\n`;
    try {
      if (this.#path === undefined || this.#bytes > this.limitBytes) this.begin();
      this.#bytes += line.length;
      this.#recent.push(line);
      if (this.#recent.length >= 2 * recentFiles) this.#recent = this.#recent.slice(-recentFiles);
      await appendFile(this.#path ?? "", line, { mode: 0o600 });
    } catch (error) {
      throw storageFault(error, "note a file for the backups");
    }
  }
}

const published = z.object({
  workspaceId: z.string(),
  sha256: z.string().regex(/^[\da-f]{64}$/),
  size: z.int().min(0),
});

/** The journal of a folder; undefined before the first one. */
export async function journalIn(folder: string): Promise<string | undefined> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith(ending));
  return names[0] === undefined ? undefined : join(folder, names[0]);
}

export interface NotedFile {
  readonly file: PublishedFile;
  /** The place after it in the journal, in bytes. */
  readonly end: number;
}

/** The files of a journal from a place on; none of one that is gone. */
export async function* filesSince(
  path: string,
  offset: number,
): AsyncGenerator<NotedFile, void, undefined> {
  const decoder = new TextDecoder();
  let [rest, end] = ["", offset];
  try {
    for await (const chunk of Bun.file(path).slice(offset).stream()) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        end += line.length + 1;
        const file = published.safeParse(parsedJson(line)).data;
        if (file !== undefined) yield { file, end };
      }
    }
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
  }
}
