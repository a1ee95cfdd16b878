import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { basename, resolve, sep } from "node:path";
import type { Client } from "#client/surface.ts";
import { CatalogError } from "#contract/errors.ts";
import type { ImportItem } from "#contract/resources/imports.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { chunksUntil } from "#lib/network/stream.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { mediaTypeOf } from "../../../kit/input/files.ts";
import type { RowFault, RowFile } from "../row-items.ts";

interface RowFilesParts {
  readonly client: Client;
  readonly type: string;
  /** The only folder whose files a row may name, since another person may have written the rows. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Stores the files that rows name. A file that the record has already is not sent again. */
export class RowFiles {
  readonly counts = { sent: 0, unchanged: 0 };

  constructor(private readonly parts: RowFilesParts) {}

  /** The reasons why files of a row cannot be read, before anything of the row is written. */
  async faultsOf(row: number, files: readonly RowFile[]): Promise<RowFault[]> {
    const faults: RowFault[] = [];
    for (const file of files) {
      const found = await this.#find(file);
      if ("reason" in found) faults.push({ row, column: file.place, reason: found.reason });
    }
    return faults;
  }

  /**
   * Stores the files of a written row at the record with its key. Returns the platform's refusals;
   * throws where the outcome is unknown, so that the import ends and continues later.
   */
  async store(item: ImportItem, files: readonly RowFile[]): Promise<RowFault[]> {
    if (files.length === 0 || item.op !== "upsert") return [];
    const { client, type, signal } = this.parts;
    const { row, property: key, value } = item;
    const fields = files.map(({ property }) => property);
    const where = { [key]: value };
    const { items } = await client.useResources(type).list({ where, fields, limit: 1, signal });
    const [record] = items;
    const faults: RowFault[] = [];
    for (const file of files) {
      const found = await this.#find(file);
      const reason =
        "reason" in found
          ? found.reason
          : record === undefined
            ? "no longer has a record"
            : await this.#send(record.id, file.property, found.path, record.data[file.property]);
      if (reason !== undefined) faults.push({ row, column: file.place, reason });
    }
    return faults;
  }

  async #find({ path }: RowFile): Promise<{ readonly path: string } | { readonly reason: string }> {
    // Spreadsheets of Windows have its separators.
    const plain = sep === "/" ? path.replaceAll("\\", "/") : path;
    try {
      const folder = await realpath(this.parts.folder);
      const found = await realpath(resolve(folder, plain));
      if (!found.startsWith(folder.endsWith(sep) ? folder : folder + sep)) {
        return { reason: `${path} is not in ${this.parts.folder}` };
      }
      return (await stat(found)).isFile() ? { path: found } : { reason: `${path} is not a file` };
    } catch (error) {
      if (systemErrorCode(error) === "ENOENT") return { reason: `${path} does not exist` };
      return { reason: `${path} can't be read: ${systemErrorWords(error)}` };
    }
  }

  async #send(
    id: string,
    property: string,
    path: string,
    stored: unknown,
  ): Promise<string | undefined> {
    const { client, type, signal } = this.parts;
    const content = Bun.file(path);
    if (isJsonObject(stored) && stored["size"] === content.size) {
      if (stored["sha256"] === (await digestOf(content, signal))) {
        this.counts.unchanged += 1;
        return undefined;
      }
    }
    try {
      const filename = basename(path);
      const contentType = mediaTypeOf(filename);
      const options = { filename, contentType, signal };
      await client.useResources(type).uploadFile(id, property, content, options);
      this.counts.sent += 1;
      return undefined;
    } catch (error) {
      const isRefused = error instanceof CatalogError && (error.status ?? 0) >= 400;
      if (!isRefused || (error.status ?? 0) >= 500 || error.status === 429) throw error;
      return `was not stored: ${error.message}`;
    }
  }
}

async function digestOf(content: Bun.BunFile, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunksUntil(content.stream(), signal)) hash.update(chunk);
  return hash.digest("hex");
}
