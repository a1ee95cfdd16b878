import type { UnderstandingAction } from "#contract/documents/content-understanding.ts";
import type { Reader, Writer } from "../../database/database.ts";
import { jsonText, jsonValue } from "../../database/dialect.ts";
import { countRows, newestFirst, type NewestPage } from "../../database/row-pages.ts";
import { raw, statement, type Statement } from "../../database/statement.ts";

export interface StoredOperation {
  readonly id: string;
  readonly digest: string;
  readonly actions: readonly UnderstandingAction[];
  readonly createdBy: string;
  readonly createdAt: string;
}

type Row = Omit<StoredOperation, "actions"> & { readonly actions: string };

const columns: Statement = statement`${raw(
  'id, digest, created_by as "createdBy", created_at as "createdAt"',
)}, ${jsonText("actions")} as actions`;

function operationOf(row: Row): StoredOperation {
  // Only this store writes the column, from this type.
  return { ...row, actions: JSON.parse(row.actions) as UnderstandingAction[] };
}

export async function operationById(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<StoredOperation | undefined> {
  const row = await reader.first<Row>(statement`select ${columns} from understanding_operations
    where workspace_id = ${workspaceId} and id = ${id}`);
  return row === undefined ? undefined : operationOf(row);
}

export async function operationPage(
  reader: Reader,
  workspaceId: string,
  page: NewestPage,
): Promise<StoredOperation[]> {
  const rows = await reader.all<Row>(statement`select ${columns} from understanding_operations
    where workspace_id = ${workspaceId} ${newestFirst(page)}`);
  return rows.map(operationOf);
}

export async function countOperations(reader: Reader, workspaceId: string): Promise<number> {
  return countRows(
    reader,
    statement`from understanding_operations where workspace_id = ${workspaceId}`,
  );
}

export async function insertOperation(
  writer: Writer,
  workspaceId: string,
  { id, digest, actions, createdBy, createdAt }: StoredOperation,
): Promise<void> {
  await writer.run(statement`insert into understanding_operations
      (workspace_id, id, digest, actions, created_by, created_at)
    values (${workspaceId}, ${id}, ${digest}, ${jsonValue(actions)}, ${createdBy}, ${createdAt})`);
}
