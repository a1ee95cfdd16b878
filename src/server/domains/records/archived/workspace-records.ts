import type { Reader } from "../../../database/database.ts";
import { jsonText } from "../../../database/dialect.ts";
import { statement } from "../../../database/statement.ts";
import { isOneOfWorkspaceRecords } from "../store/record-numbers.ts";

/** A stored record of whatever type. */
export interface WorkspaceRecord {
  readonly id: string;
  /** The number of its type. */
  readonly number: number;
  /** Its data as JSON text. */
  readonly data: string;
}

/** The numbers of the types of a workspace's records by their ids, of those that there are. */
export async function typesOfRecords(
  reader: Reader,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.all<Omit<WorkspaceRecord, "data">>(statement`select id,
      type_number as number from resources where ${isOneOfWorkspaceRecords(workspaceId, ids)}`);
  return new Map(rows.map(({ id, number }) => [id, Number(number)]));
}

/** A workspace's records with these ids, with their data. */
export async function recordsOfWorkspace(
  reader: Reader,
  workspaceId: string,
  ids: readonly string[],
): Promise<readonly WorkspaceRecord[]> {
  const rows = await reader.all<WorkspaceRecord>(statement`select id, type_number as number,
      ${jsonText("data")} as data from resources
    where ${isOneOfWorkspaceRecords(workspaceId, ids)}`);
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}
