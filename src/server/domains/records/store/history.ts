import type { Reader } from "../../../database/database.ts";
import { jsonText } from "../../../database/dialect.ts";
import { countRows } from "../../../database/row-pages.ts";
import { byDialect, raw, statement, type Statement } from "../../../database/statement.ts";
import type { PatchOperation } from "./patch.ts";
import type { TypeKey } from "../../object-types/service.ts";

export interface HistoryRow {
  readonly version: number;
  readonly operation: string;
  readonly at: string;
  readonly actor: string;
  /** The deletion that the write is part of. */
  readonly operationId?: string | undefined;
  /** The change of the previous version's data; null for a creation. */
  readonly changes: readonly PatchOperation[] | null;
}

type StoredRow = Omit<HistoryRow, "changes" | "operationId"> & {
  readonly changes: string | null;
  readonly operation_id: string | null;
};

export interface HistoryPage {
  /** Only writes before this version. */
  readonly before: number | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Writes of a record, newest first. */
export async function historyPage(
  reader: Reader,
  type: TypeKey,
  id: string,
  { before, offset, limit }: HistoryPage,
): Promise<HistoryRow[]> {
  const bound = before === undefined ? raw("") : statement` and version < ${before}`;
  const rows = await reader.all<StoredRow>(statement`select ${columns} from resource_history
    where ${historyOf(type, id)}${bound}
    order by version desc limit ${limit} offset ${offset}`);
  return rows.map(parsed);
}

export async function historyRow(
  reader: Reader,
  type: TypeKey,
  id: string,
  version: number,
): Promise<HistoryRow | undefined> {
  const row = await reader.first<StoredRow>(statement`select ${columns} from resource_history
    where ${historyOf(type, id)} and version = ${version}`);
  return row && parsed(row);
}

export async function historyCount(reader: Reader, type: TypeKey, id: string): Promise<number> {
  return countRows(reader, statement`from resource_history where ${historyOf(type, id)}`);
}

/** The columns to select from `resource_history`. */
const columns = statement`version, operation, at, actor, operation_id,
  ${jsonText<string | null>("changes")} as changes`;

/** The changes of a record after a version, oldest first; at most `limit` patches. */
export async function changesSince(
  reader: Reader,
  type: TypeKey,
  id: string,
  version: number,
  limit: number,
): Promise<PatchOperation[]> {
  const rows = await reader.all<StoredRow>(statement`select ${columns} from resource_history
    where ${historyOf(type, id)} and version > ${version} order by version limit ${limit}`);
  return rows.flatMap((row) => parsed(row).changes ?? []);
}

/** SQLite's histories have no workspace: the type's number implies it. */
function historyOf(type: TypeKey, id: string): Statement {
  return byDialect({
    sqlite: statement`resource_id = ${id} and type_number = ${type.number}`,
    postgresql: statement`workspace_id = ${type.workspaceId} and resource_id = ${id}
      and type_number = ${type.number}`,
  });
}

function parsed({ changes, operation_id: operationId, ...row }: StoredRow): HistoryRow {
  // Only the platform writes the column.
  return {
    ...row,
    ...(operationId !== null && { operationId }),
    changes: changes === null ? null : (JSON.parse(changes) as PatchOperation[]),
  };
}
