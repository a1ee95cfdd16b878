import type { Reader, Writer } from "../../database/database.ts";
import { nothing, raw, statement } from "../../database/statement.ts";

/** A limit that is null does not apply. */
export interface Quota {
  readonly bytes: number | null;
  readonly records: number | null;
  readonly documents: number | null;
  /** The number of requests in a minute. */
  readonly requests: number | null;
}

export interface Usage {
  readonly bytes: number;
  readonly records: number;
  readonly documents: number;
}

interface QuotaRow extends Quota {
  readonly workspace_id: string;
}

export const noQuota: Quota = { bytes: null, records: null, documents: null, requests: null };

function quotaOf({ bytes, records, documents, requests }: Quota): Quota {
  const whole = (value: number | null): number | null => (value === null ? null : Number(value));
  return {
    bytes: whole(bytes),
    records: whole(records),
    documents: whole(documents),
    requests: whole(requests),
  };
}

/** The quotas of all workspaces that have one, at most `limit`. */
export async function quotas(reader: Reader, limit: number): Promise<Map<string, Quota>> {
  const rows = await reader.all<QuotaRow>(
    statement`select * from workspace_quotas order by workspace_id limit ${limit}`,
  );
  return new Map(rows.map((row) => [row.workspace_id, quotaOf(row)]));
}

export async function quotaById(reader: Reader, workspaceId: string): Promise<Quota> {
  const row = await reader.first<QuotaRow>(
    statement`select * from workspace_quotas where workspace_id = ${workspaceId}`,
  );
  return row === undefined ? noQuota : quotaOf(row);
}

/** Sets the quota of a workspace; one without any limit is removed. */
export async function putQuota(
  writer: Writer,
  workspaceId: string,
  { bytes, records, documents, requests }: Quota,
): Promise<void> {
  await writer.run(statement`delete from workspace_quotas where workspace_id = ${workspaceId}`);
  if ([bytes, records, documents, requests].every((each) => each === null)) return;
  await writer.run(statement`insert into workspace_quotas
    (workspace_id, bytes, records, documents, requests)
    values (${workspaceId}, ${bytes}, ${records}, ${documents}, ${requests})`);
}

/** Counts what a workspace uses; it reads an entry of an index for each record and document. */
export async function usageOf(reader: Reader, workspaceId: string): Promise<Usage> {
  // Rows in the trash do not count.
  const count = async (table: string, value: string, only?: string): Promise<number> => {
    const row = await reader.first<{ value: number | null }>(
      statement`select ${raw(value)} as value from ${raw(table)}
        where workspace_id = ${workspaceId}
          ${only === undefined ? nothing : raw(`and ${only}`)}`,
    );
    return Number(row?.value ?? 0);
  };
  const sum = "sum(size)";
  return {
    records:
      (await count("resources", "count(*)")) + (await count("geo_datasets", "sum(features)")),
    documents: await count("documents", "count(*)", "trashed_until is null"),
    bytes:
      (await count("documents", sum, "trashed_until is null")) +
      (await count("resource_files", sum, "kept_until is null")) +
      (await count("webhook_received", "sum(body_size)", "body is not null")),
  };
}

/** A workspace by its id or, if only one has it, by its slug. */
export async function workspaceNamed(
  reader: Reader,
  name: string,
): Promise<{ readonly id: string; readonly slug: string }[]> {
  return reader.all<{ id: string; slug: string }>(statement`select id, slug from workspaces
    where (id = ${name} or slug = ${name}) and deleted_at is null order by id limit 2`);
}

export async function slugsOf(
  reader: Reader,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const slugs = new Map<string, string>();
  for (const id of ids) {
    const row = await reader.first<{ slug: string }>(
      statement`select slug from workspaces where id = ${id}`,
    );
    if (row !== undefined) slugs.set(id, row.slug);
  }
  return slugs;
}
