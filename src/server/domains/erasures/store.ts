import type { Reader, Writer } from "../../database/database.ts";
import { insertInto, nothing, raw, statement } from "../../database/statement.ts";
import type { ErasedId } from "./erased-id.ts";

export interface ErasureRow extends ErasedId {
  /** The id of the caller; empty for a restored backup. */
  readonly by: string;
}

const columns = raw(`about_workspace as "workspaceId", kind, id, erased_at as "at",
  erased_by as "by"`);

/** Adds erasures; an earlier one of the same record or document settles again. */
export async function addErasures(writer: Writer, rows: readonly ErasureRow[]): Promise<void> {
  for (const { workspaceId, kind, id, at, by } of rows) {
    const row = {
      about_workspace: workspaceId,
      kind,
      id,
      erased_at: at,
      erased_by: by,
      settled_at: null,
    };
    await writer.run(statement`${insertInto("erasures", row)}
      on conflict (about_workspace, kind, id) do update set settled_at = null`);
  }
}

/** Erasures before a time that have not settled, oldest first. */
export function openErasures(reader: Reader, before: string, limit: number): Promise<ErasureRow[]> {
  return reader.all<ErasureRow>(statement`select ${columns} from erasures
    where settled_at is null and erased_at <= ${before} order by erased_at limit ${limit}`);
}

export async function settleErasure(writer: Writer, row: ErasedId, at: string): Promise<void> {
  await writer.run(statement`update erasures set settled_at = ${at}
    where about_workspace = ${row.workspaceId} and kind = ${row.kind} and id = ${row.id}`);
}

export async function isKnown(reader: Reader, { workspaceId, kind, id }: ErasedId) {
  const row = await reader.first(statement`select 1 as one from erasures
    where about_workspace = ${workspaceId} and kind = ${kind} and id = ${id}`);
  return row !== undefined;
}

/** The ids of erasures and purges since a time, in no order. */
export async function erasedSince(reader: Reader, since: string | undefined): Promise<ErasedId[]> {
  const erased = await reader.all<ErasedId>(statement`select ${columns} from erasures
    ${since === undefined ? nothing : statement`where erased_at >= ${since}`}`);
  const purged = await reader.all<{ id: string; at: string }>(statement`select removed.id,
      purge.created_at as at from purged_workspaces as removed
    join workspace_purges as purge on purge.id = removed.purge_id
    ${since === undefined ? nothing : statement`where coalesce(finished_at, ${since}) >= ${since}`}`);
  return [
    ...erased,
    ...purged.map(({ id, at }) => ({ kind: "workspace" as const, workspaceId: id, id, at })),
  ];
}
