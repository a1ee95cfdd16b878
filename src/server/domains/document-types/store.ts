import type {
  AnalyzerDefinition,
  DocumentTypeDefinition,
} from "#contract/documents/document-types.ts";
import type { Reader } from "../../database/database.ts";
import { countRows } from "../../database/row-pages.ts";
import { nothing, raw, statement, type Statement } from "../../database/statement.ts";
import type { Transaction } from "../../work/work.ts";

export interface ConfigurationKey {
  readonly workspaceId: string;
  readonly key: string;
}

/** The tables of configurations, with the definition that each one has. */
export interface Definitions {
  readonly analyzers: AnalyzerDefinition;
  readonly document_types: DocumentTypeDefinition;
}
export type ConfigurationTable = keyof Definitions;

export interface Stored<Definition> {
  readonly key: string;
  readonly definition: Definition;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The type of a table's events. */
const nouns: Readonly<Record<ConfigurationTable, string>> = {
  analyzers: "analyzer",
  document_types: "document-type",
};

type Row = Omit<Stored<unknown>, "definition"> & { readonly definition: string };

const columns: Statement = raw(
  'key, version, created_at as "createdAt", updated_at as "updatedAt", definition',
);

function storedOf<Definition>(row: Row): Stored<Definition> {
  // Only this store writes the column, from this type.
  return { ...row, definition: JSON.parse(row.definition) as Definition };
}

export async function configurationByKey<Table extends ConfigurationTable>(
  reader: Reader,
  table: Table,
  { workspaceId, key }: ConfigurationKey,
): Promise<Stored<Definitions[Table]> | undefined> {
  const row = await reader.first<Row>(statement`select ${columns} from ${raw(table)}
    where workspace_id = ${workspaceId} and key = ${key}`);
  return row === undefined ? undefined : storedOf(row);
}

export async function configurationPage<Table extends ConfigurationTable>(
  reader: Reader,
  table: Table,
  workspaceId: string,
  { rows, offset }: { readonly rows: number; readonly offset: number },
): Promise<Stored<Definitions[Table]>[]> {
  const found = await reader.all<Row>(statement`select ${columns} from ${raw(table)}
    where workspace_id = ${workspaceId} order by key limit ${rows} offset ${offset}`);
  return found.map((row) => storedOf(row));
}

export async function countConfigurations(
  reader: Reader,
  table: ConfigurationTable,
  workspaceId: string,
): Promise<number> {
  return countRows(reader, statement`from ${raw(table)} where workspace_id = ${workspaceId}`);
}

/** Creates or replaces a definition, and raises its version. */
export async function putConfiguration<Table extends ConfigurationTable>(
  tx: Transaction,
  table: Table,
  { workspaceId, key }: ConfigurationKey,
  definition: Definitions[Table],
  { oid, time }: { readonly oid: string; readonly time: string },
): Promise<void> {
  const type = isType(definition) ? definition : undefined;
  const [names, values, changes] =
    type === undefined
      ? [nothing, nothing, nothing]
      : [
          raw(", label, status"),
          statement`, ${type.label}, ${type.status}`,
          raw(", label = excluded.label, status = excluded.status"),
        ];
  const name = raw(table);
  const row = await tx.first<{
    version: number;
  }>(statement`insert into ${name} (workspace_id, key, definition, version,
      created_by, created_at, updated_at ${names})
    values (${workspaceId}, ${key}, ${JSON.stringify(definition)}, 1, ${oid}, ${time}, ${time}
      ${values})
    on conflict (workspace_id, key) do update set definition = excluded.definition,
      version = ${name}.version + 1, updated_at = excluded.updated_at ${changes}
    returning version`);
  const version = Number(row?.version ?? 1);
  const op = version === 1 ? "created" : "updated";
  tx.event("setting", key, workspaceId, { op, type: nouns[table], version });
}

function isType(
  definition: AnalyzerDefinition | DocumentTypeDefinition,
): definition is DocumentTypeDefinition {
  return "label" in definition;
}

export async function deleteConfiguration(
  tx: Transaction,
  table: ConfigurationTable,
  { workspaceId, key }: ConfigurationKey,
): Promise<void> {
  await tx.run(statement`delete from ${raw(table)}
    where workspace_id = ${workspaceId} and key = ${key}`);
  tx.event("setting", key, workspaceId, { op: "deleted", type: nouns[table] });
}

/** The oldest active type of a label. */
export async function typeOfLabel(
  reader: Reader,
  workspaceId: string,
  label: string,
): Promise<Stored<DocumentTypeDefinition> | undefined> {
  const row = await reader.first<Row>(statement`select ${columns} from document_types
    where workspace_id = ${workspaceId} and label = ${label} and status = 'active'
    order by created_at, key limit 1`);
  return row === undefined ? undefined : storedOf(row);
}
