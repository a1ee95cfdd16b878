import type { Reader, Writer } from "../../database/database.ts";
import { insertInto, nothing, statement } from "../../database/statement.ts";

export interface MarkRecord {
  readonly workspace_id: string;
  readonly oid: string;
  readonly place: string;
  /** A position of the feed. */
  readonly position: string;
  readonly seen_at: string;
}

type Owner = Pick<MarkRecord, "workspace_id" | "oid">;

/** The marks of a person in a workspace, the last look first. */
export async function marksOf(
  reader: Reader,
  { workspace_id: workspaceId, oid }: Owner,
  place: string | undefined,
): Promise<MarkRecord[]> {
  return reader.all<MarkRecord>(statement`select * from marks
    where workspace_id = ${workspaceId} and oid = ${oid}
      ${place === undefined ? nothing : statement`and place = ${place}`}
    order by seen_at desc, place`);
}

export async function putMark(writer: Writer, row: MarkRecord): Promise<void> {
  await writer.run(statement`${insertInto("marks", row)}
    on conflict (workspace_id, oid, place) do update
      set position = excluded.position, seen_at = excluded.seen_at`);
}

/** Removes the oldest marks of a person beyond a number. */
export async function removeOldMarks(
  writer: Writer,
  { workspace_id: workspaceId, oid }: Owner,
  kept: number,
): Promise<void> {
  await writer.run(statement`delete from marks
    where workspace_id = ${workspaceId} and oid = ${oid} and place in (select place from marks
      where workspace_id = ${workspaceId} and oid = ${oid}
      order by seen_at desc, place limit 1000 offset ${kept})`);
}
