import type { ArchiveGroup } from "#contract/workspaces/archive-parts.ts";
import type { ArchivedItem } from "#lib/archive/write-archive.ts";
import type { Reader } from "../../../database/database.ts";
import {
  statement,
  identifier,
  join,
  nothing,
  type Statement,
} from "../../../database/statement.ts";
import type { BlobContent, BlobStore } from "../../../files/blob-store.ts";
import { digestOf } from "../../../files/copy-blob.ts";
import {
  copiedTables,
  documentRowTables,
  documentTable,
  keptTables,
  roleTable,
  settledDocument,
  type ArchivedTable,
} from "../tables.ts";
import { recordFiles, recordLines } from "./record-lines.ts";
import { filePart, recordPart } from "../parts.ts";
import { sortedJson } from "#lib/json/value.ts";
import { jsonText } from "../../../database/dialect.ts";

const pageRows = 200;

interface DatasetRow {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly source: string;
  readonly licence: string;
  readonly attribution: string;
  readonly name_properties: string | null;
  readonly generation: number;
}

interface FeatureRow {
  readonly id: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly geometry: string | null;
  readonly properties: string;
}

interface ArchivedDataset {
  readonly slug: string;
  readonly line: string;
  /** The lines of its features in the order of their ids. */
  readonly features: () => AsyncGenerator<string[], void, undefined>;
}

/** The datasets of a workspace with the features that they show. */
async function* archivedDatasets(
  reader: Reader,
  workspaceId: string,
): AsyncGenerator<ArchivedDataset, void, undefined> {
  const rows = await reader.all<DatasetRow>(statement`select id, slug, title, description, source,
      licence, attribution, name_properties, generation
    from geo_datasets where workspace_id = ${workspaceId} order by slug`);
  for (const { generation, name_properties, ...shown } of rows) {
    const names: unknown = name_properties === null ? [] : JSON.parse(name_properties);
    yield {
      slug: shown.slug,
      line: JSON.stringify({ ...shown, name_properties: names }),
      features: () => featureLines(reader, workspaceId, generation),
    };
  }
}

async function* featureLines(
  reader: Reader,
  workspaceId: string,
  generation: number,
): AsyncGenerator<string[], void, undefined> {
  for (let after = ""; ;) {
    const rows: FeatureRow[] = await reader.all<FeatureRow>(statement`select id, version,
        created_at, updated_at, geometry, ${jsonText("properties")} as properties
      from geo_features
      where workspace_id = ${workspaceId} and generation = ${generation} and id > ${after}
      order by id limit ${pageRows}`);
    if (rows.length > 0) yield rows.map(lineOf);
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = last.id;
  }
}

function lineOf({ geometry, properties, ...columns }: FeatureRow): string {
  const shape = geometry === null ? "null" : geometry;
  const values = sortedJson(JSON.parse(properties));
  return `${JSON.stringify(columns).slice(0, -1)},"geometry":${shape},"properties":${values}}`;
}

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

const usualPageRows = 200;

/** The lines of a table's rows of a workspace, page by page. */
async function* tableLines(
  reader: Reader,
  workspaceId: string,
  archived: ArchivedTable,
): AsyncGenerator<string[], void, undefined> {
  for await (const rows of tableRows(reader, workspaceId, archived)) {
    yield rows.map((row) => tableLine(archived, row));
  }
}

/** The rows of a table in the order of its key; columns with JSON are text. */
async function* tableRows(
  reader: Reader,
  workspaceId: string,
  archived: ArchivedTable,
): AsyncGenerator<Row[], void, undefined> {
  const { table, key, columns, pageRows = usualPageRows, isOfDocument = false } = archived;
  const { leftOutWith } = archived;
  const isKept =
    leftOutWith === undefined ? nothing : statement`and ${identifier(leftOutWith)} is null`;
  const all: ArchivedTable["columns"] = { ...Object.fromEntries(key.map(plainColumn)), ...columns };
  const names = Object.entries(all).map(([name, form]) =>
    form === "json" ? statement`${jsonText(name)} as ${identifier(name)}` : identifier(name),
  );
  const order = join(key.map((name) => identifier(name)));
  const owner = table === "documents" ? "id" : "document_id";
  const isShown = isOfDocument
    ? statement`and ${identifier(owner)} in (select id from documents
        where workspace_id = ${workspaceId} and status <> 'deleting')`
    : nothing;
  for (let after: Statement = nothing; ;) {
    const rows: Row[] = await reader.all<Row>(statement`select ${join(names)}
      from ${identifier(table)} where workspace_id = ${workspaceId} ${after} ${isShown} ${isKept}
      order by ${order} limit ${pageRows}`);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    const place = join(key.map((name) => statement`${last[name] ?? ""}`));
    after = statement`and (${order}) > (${place})`;
  }
}

const plainColumn = (name: string): [string, "plain"] => [name, "plain"];

/** One line: the columns in their order, with the values of JSON columns as JSON. */
function tableLine({ columns }: ArchivedTable, row: Row): string {
  const members = Object.entries(columns).map(([name, form]) => {
    const value = row[name] ?? null;
    const isText = typeof value === "string";
    if (form === "plain" || !isText) return `"${name}":${JSON.stringify(value)}`;
    return `"${name}":${form === "json" ? sortedJson(JSON.parse(value)) : value}`;
  });
  return `{${members.join()}}`;
}

function documentLine(row: Row): string {
  const { error, ...settled } = settledDocument(row["status"]);
  const shown = error === undefined ? row : { ...row, ...settled, error: JSON.stringify(error) };
  return tableLine(documentTable, shown);
}

export interface ItemsOf {
  readonly reader: Reader;
  readonly blobs: BlobStore;
  readonly workspaceId: string;
  readonly groups: ReadonlySet<ArchiveGroup>;
  readonly signal: AbortSignal;
  /** Called with each file that the store does not have, or has damaged. */
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
    yield { kind: "rows", part, lines: rows.map(documentLine) };
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
    const stored = await blobs.open({ workspaceId, sha256 });
    const content = stored?.size === size ? await soundContent(stored, sha256) : undefined;
    if (content === undefined) {
      onMissing(sha256);
      return;
    }
    yield { kind: "file", sha256, size, content };
  }
}

/** The longest file that is read once: it stays in memory until it is written. */
const heldBytes = 4 * 1024 * 1024;

/**
 * The bytes of a stored file; undefined if they do not have its digest. One damaged file would make
 * a whole archive unsound, so that a long one is read once before it is written.
 */
async function soundContent(
  stored: BlobContent,
  sha256: string,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  if (stored.size > heldBytes) {
    return (await digestOf(stored.stream())) === sha256 ? stored.stream() : undefined;
  }
  const chunks: Uint8Array[] = [];
  const kept = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of stored.stream()) {
      chunks.push(chunk);
      yield chunk;
    }
  };
  return (await digestOf(kept())) === sha256 ? ofChunks(chunks) : undefined;
}

async function* ofChunks(
  chunks: readonly Uint8Array[],
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks;
}
