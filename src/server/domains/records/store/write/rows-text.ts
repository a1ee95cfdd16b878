import { join, raw, statement, type Statement } from "../../../../database/statement.ts";
import type { RecordType, SlotKeys } from "../records.ts";
import type { SlotColumn } from "../../../object-types/service.ts";

/** Pieces of PostgreSQL's statements that take many records as one JSON value. */

/** One row as JSON; the data is JSON text already. */
export function rowText(row: object, data: string): string {
  return `${JSON.stringify(row).slice(0, -1)},"data":${data}}`;
}

/** Index keys under the names of their columns. */
export function named(columns: readonly SlotColumn[], keys: SlotKeys): object {
  return Object.fromEntries(columns.map(({ column }, at) => [column, keys[at] ?? null]));
}

/** Index columns behind others in a list; their names are the platform's own. */
export function listed(
  columns: readonly SlotColumn[],
  text: (column: SlotColumn) => string,
): Statement {
  return columns.length === 0
    ? raw("")
    : statement`, ${join(columns.map((one) => raw(text(one))))}`;
}

/** An index column as a row's JSON has it. */
export function declared({ column, slot }: SlotColumn): string {
  return `${column} ${slot.kind === "number" ? "float8" : "text"}`;
}

/** Whether the type's revision is still the one that keys and checks were computed for. */
export function isCurrent({ workspaceId, number, revision }: RecordType): Statement {
  return statement`exists (select 1 from object_types where workspace_id = ${workspaceId}
    and number = ${number} and revision = ${revision})`;
}
