import type { Reader, Writer } from "../../../database/database.ts";
import { countRows, newestFirst, type NewestPage } from "../../../database/row-pages.ts";
import { assignments, insertInto, statement } from "../../../database/statement.ts";
import { requestRemovals } from "../../../files/removal-store.ts";
import type { Box } from "#lib/geometry/geometry.ts";

export interface DatasetRecord {
  readonly workspace_id: string;
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly source: string;
  readonly licence: string;
  readonly attribution: string;
  /** A JSON array of property names; null for properties that are called like a name. */
  readonly name_properties: string | null;
  readonly version: number;
  /** The features of this generation are those of the dataset. */
  readonly generation: number;
  readonly features: number;
  /** The place of its newest feature. */
  readonly last_place: number;
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_by: string;
  readonly updated_at: string;
}

type DatasetKey = Pick<DatasetRecord, "workspace_id" | "id">;

export function boxOfRow(
  row: Pick<DatasetRecord, "west" | "south" | "east" | "north">,
): Box | undefined {
  const { west, south, east, north } = row;
  if (west === null || south === null || east === null || north === null) return undefined;
  return [west, south, east, north];
}

/** The declared properties with names of features; empty without a declaration. */
export function nameProperties(row: Pick<DatasetRecord, "name_properties">): readonly string[] {
  // Only the schema of a request has written the column.
  return row.name_properties === null ? [] : (JSON.parse(row.name_properties) as string[]);
}

export function nameColumn(names: readonly string[] | undefined): string | null {
  return names === undefined || names.length === 0 ? null : JSON.stringify(names);
}

export function boxColumns(box: Box | undefined) {
  const [west = null, south = null, east = null, north = null] = box ?? [];
  return { west, south, east, north };
}

export async function insertDataset(writer: Writer, row: DatasetRecord): Promise<boolean> {
  const { changedRows } = await writer.run(
    statement`${insertInto("geo_datasets", row)} on conflict do nothing`,
  );
  return changedRows === 1;
}

export async function datasetNamed(
  reader: Reader,
  workspaceId: string,
  slug: string,
): Promise<DatasetRecord | undefined> {
  const row = await reader.first<DatasetRecord>(statement`select * from geo_datasets
    where workspace_id = ${workspaceId} and slug = ${slug}`);
  return row && withNumbers(row);
}

export async function datasetById(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<DatasetRecord | undefined> {
  const row = await reader.first<DatasetRecord>(statement`select * from geo_datasets
    where workspace_id = ${workspaceId} and id = ${id}`);
  return row && withNumbers(row);
}

export async function datasetsOf(
  reader: Reader,
  page: NewestPage & { readonly workspaceId: string },
): Promise<DatasetRecord[]> {
  const rows = await reader.all<DatasetRecord>(statement`select * from geo_datasets
    where workspace_id = ${page.workspaceId} ${newestFirst(page)}`);
  return rows.map(withNumbers);
}

export async function countDatasets(reader: Reader, workspaceId: string): Promise<number> {
  return countRows(reader, statement`from geo_datasets where workspace_id = ${workspaceId}`);
}

/** Changes a dataset of this version; false if another change came first. */
export async function updateDataset(
  writer: Writer,
  { workspace_id: workspaceId, id, version }: DatasetKey & Pick<DatasetRecord, "version">,
  changes: Partial<Omit<DatasetRecord, keyof DatasetKey>>,
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update geo_datasets
    set ${assignments({ ...changes, version: version + 1 })}
    where workspace_id = ${workspaceId} and id = ${id} and version = ${version}`);
  return changedRows === 1;
}

export async function deleteDataset(writer: Writer, key: DatasetKey): Promise<void> {
  const { workspace_id: workspaceId, id } = key;
  await writer.run(statement`delete from geo_datasets
    where workspace_id = ${workspaceId} and id = ${id}`);
  const files = await writer.all<{ sha256: string; size: number }>(statement`select sha256, size
    from geo_imports where workspace_id = ${workspaceId} and dataset_id = ${id}
      and sha256 is not null`);
  await requestRemovals(writer, workspaceId, files);
  await writer.run(statement`delete from geo_imports
    where workspace_id = ${workspaceId} and dataset_id = ${id}`);
}

/** Numbers of 64 bits are bigint on PostgreSQL. */
function withNumbers(row: DatasetRecord): DatasetRecord {
  return {
    ...row,
    version: Number(row.version),
    generation: Number(row.generation),
    features: Number(row.features),
    last_place: Number(row.last_place),
  };
}
