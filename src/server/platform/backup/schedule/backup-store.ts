import type { Reader, Writer } from "../../../database/database.ts";
import { insertInto, statement } from "../../../database/statement.ts";

/** `stored`: complete, and not checked yet. `verified`: restored and found to be sound. */
export type BackupState = "running" | "stored" | "verified" | "failed";

export interface BackupRow {
  readonly id: string;
  /** The name in the place; null before it is complete. */
  readonly name: string | null;
  readonly state: BackupState;
  readonly started_at: string;
  readonly stored_at: string | null;
  readonly checked_at: string | null;
  readonly detail: string;
}

export async function addBackup(writer: Writer, id: string, at: string): Promise<void> {
  // The platform that took an earlier one has stopped: it has no lease now.
  await writer.run(statement`update backups set state = 'failed',
      detail = ${JSON.stringify({ error: "the process that took it has stopped" })}
    where state = 'running'`);
  const row = { id, name: null, state: "running", started_at: at, detail: "{}" };
  await writer.run(insertInto("backups", { ...row, stored_at: null, checked_at: null }));
}

export interface BackupChange {
  readonly state: BackupState;
  readonly name?: string;
  readonly detail: object;
  readonly at: string;
}

export async function changeBackup(
  writer: Writer,
  id: string,
  { state, name, detail, at }: BackupChange,
): Promise<void> {
  await writer.run(statement`update backups set state = ${state}, detail = ${JSON.stringify(detail)},
      name = coalesce(${name ?? null}, name),
      stored_at = case when ${state} = 'stored' then ${at} else stored_at end,
      checked_at = case when ${state} = 'stored' then null else ${at} end
    where id = ${id}`);
}

/** The newest backup by its start; undefined before the first one. */
export async function newestBackup(reader: Reader): Promise<BackupRow | undefined> {
  return reader.first<BackupRow>(
    statement`select * from backups order by started_at desc, id desc limit 1`,
  );
}

/** The newest backup in a state. */
export async function newestIn(reader: Reader, state: BackupState): Promise<BackupRow | undefined> {
  return reader.first<BackupRow>(statement`select * from backups where state = ${state}
    order by started_at desc, id desc limit 1`);
}

/** Forgets backups that were removed from the place, and failures before a time. */
export async function forgetBackups(
  writer: Writer,
  { names, failedBefore }: { readonly names: readonly string[]; readonly failedBefore: string },
): Promise<void> {
  for (const name of names) await writer.run(statement`delete from backups where name = ${name}`);
  await writer.run(statement`delete from backups
    where state = 'failed' and started_at < ${failedBefore}`);
}
