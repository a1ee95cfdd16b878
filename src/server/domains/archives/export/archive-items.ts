import type { ArchiveGroup } from "#contract/workspaces/archive-parts.ts";
import type { ArchivedItem } from "#lib/archive/write-archive.ts";
import type { Reader } from "../../../database/database.ts";
import { statement } from "../../../database/statement.ts";
import type { BlobStore } from "../../../files/blob-store.ts";
import {
  copiedTables,
  documentRowTables,
  documentTable,
  keptTables,
  roleTable,
} from "../tables.ts";
import { archivedDatasets } from "./geo-lines.ts";
import { recordFiles, recordLines } from "./record-lines.ts";
import { tableLine, tableLines, tableRows } from "./row-lines.ts";
import { filePart, recordPart } from "../parts.ts";

export interface ItemsOf {
  readonly reader: Reader;
  readonly blobs: BlobStore;
  readonly workspaceId: string;
  readonly groups: ReadonlySet<ArchiveGroup>;
  readonly signal: AbortSignal;
  /** Called with each file that the store does not have. */
  readonly onMissing: (sha256: string) => void;
  /** Called with the number of lines so far. */
  readonly onProgress: (lines: number) => void;
}

/** Everything that an archive has, in the order in which an import stores it. */
export async function* archiveItems(of: ItemsOf): AsyncGenerator<ArchivedItem, void, undefined> {
  let lines = 0;
  for await (const item of allItems(of)) {
    of.signal.throwIfAborted();
    yield item;
    if (item.kind === "file") continue;
    lines += item.lines.length;
    of.onProgress(lines);
  }
}

async function* allItems(of: ItemsOf): AsyncGenerator<ArchivedItem, void, undefined> {
  const { reader, workspaceId, groups } = of;
  const files = new ArchivedFiles(of);
  if (groups.has("types")) yield* typeItems(of);
  if (groups.has("records")) yield* recordItems(of, files);
  if (groups.has("documents")) yield* documentItems(of, files);
  for (const table of [...copiedTables, roleTable, ...keptTables]) {
    if (!groups.has(table.group)) continue;
    yield { kind: "rows", part: table.part, lines: [] };
    for await (const lines of tableLines(reader, workspaceId, table)) {
      yield { kind: "rows", part: table.part, lines };
    }
  }
  if (!groups.has("geo")) return;
  yield { kind: "rows", part: "geo-datasets", lines: [] };
  for await (const dataset of archivedDatasets(reader, workspaceId)) {
    yield { kind: "rows", part: "geo-datasets", lines: [dataset.line] };
    const part = `geo-features/${dataset.slug}`;
    yield { kind: "rows", part, lines: [] };
    for await (const lines of dataset.features()) yield { kind: "rows", part, lines };
  }
}

interface TypeRow {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly definition: string;
  readonly status: string;
  readonly version: number;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_by: string;
  readonly updated_at: string;
  readonly number: number;
}

function typeRows({ reader, workspaceId }: ItemsOf): Promise<TypeRow[]> {
  return reader.all<TypeRow>(statement`select id, slug, name, definition, status, version,
      created_by, created_at, updated_by, updated_at, number
    from object_types where workspace_id = ${workspaceId} order by slug`);
}

async function* typeItems(of: ItemsOf): AsyncGenerator<ArchivedItem, void, undefined> {
  const lines = (await typeRows(of)).map(({ number: _own, definition, ...shown }) => {
    // The definition is JSON text whose names keep their order.
    return `${JSON.stringify(shown).slice(0, -1)},"definition":${definition}}`;
  });
  yield { kind: "rows", part: "object-types", lines };
}

async function* recordItems(
  of: ItemsOf,
  files: ArchivedFiles,
): AsyncGenerator<ArchivedItem, void, undefined> {
  const { reader, workspaceId } = of;
  for (const { number, slug } of await typeRows(of)) {
    const part = recordPart(slug);
    yield { kind: "rows", part, lines: [] };
    for await (const lines of recordLines(reader, { workspaceId, number, slug })) {
      yield { kind: "rows", part, lines };
    }
  }
  yield { kind: "rows", part: filePart, lines: [] };
  for await (const rows of recordFiles(reader, workspaceId)) {
    for (const { sha256, size } of rows) yield* files.once(sha256, size);
    yield { kind: "rows", part: filePart, lines: rows.map((row) => JSON.stringify(row)) };
  }
}

async function* documentItems(
  of: ItemsOf,
  files: ArchivedFiles,
): AsyncGenerator<ArchivedItem, void, undefined> {
  const { reader, workspaceId } = of;
  const { part } = documentTable;
  yield { kind: "rows", part, lines: [] };
  for await (const rows of tableRows(reader, workspaceId, documentTable)) {
    // The bytes come before the rows that name them.
    for (const { sha256, size } of rows) yield* files.once(String(sha256), Number(size));
    yield { kind: "rows", part, lines: rows.map((row) => tableLine(documentTable, row)) };
  }
  for (const table of documentRowTables) {
    yield { kind: "rows", part: table.part, lines: [] };
    for await (const lines of tableLines(reader, workspaceId, table)) {
      yield { kind: "rows", part: table.part, lines };
    }
  }
}

/** Digests of files are kept up to this number; a file of another one may come twice. */
const rememberedFiles = 1_000_000;

/** The files of an archive, each of them once. */
class ArchivedFiles {
  readonly #seen = new Set<string>();

  constructor(private readonly of: ItemsOf) {}

  async *once(sha256: string, size: number): AsyncGenerator<ArchivedItem, void, undefined> {
    if (this.#seen.has(sha256)) return;
    if (this.#seen.size < rememberedFiles) this.#seen.add(sha256);
    const { blobs, workspaceId, onMissing } = this.of;
    const content = await blobs.open({ workspaceId, sha256 });
    if (content === undefined || content.size !== size) {
      onMissing(sha256);
      return;
    }
    yield { kind: "file", sha256, size, content: content.stream() };
  }
}
