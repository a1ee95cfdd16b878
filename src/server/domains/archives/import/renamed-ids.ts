import type { Database, Reader, Writer } from "../../../database/database.ts";
import { isOneOf } from "../../../database/dialect.ts";
import { numbersOf } from "../../../database/shared-numbers.ts";
import { byDialect, join, raw, statement } from "../../../database/statement.ts";
import { uuidNumber } from "../../../kit/ordered-uuid.ts";
import type { Work } from "../../../work/work.ts";
import { typesOfRecords } from "../../records/service.ts";
import type { ArchiveKey } from "../store.ts";

const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const idsAtOnce = 500;
const shownAtMost = 1_000;

/** New ids for records whose id the database has already: an id is unique on SQLite. */
export class RenamedIds {
  #count: number | undefined;

  constructor(
    private readonly key: ArchiveKey,
    private readonly made: { readonly ids: Database["ids"]; readonly now: () => Date },
  ) {}

  /** Keeps new ids for those of these records that are taken. */
  async rename(work: Work, records: readonly string[], write: WriteUnit): Promise<void> {
    for (let start = 0; start < records.length; start += idsAtOnce) {
      const some = records.slice(start, start + idsAtOnce);
      const taken = await takenIds(work.read, this.key.workspace_id, some);
      if (taken.length === 0) continue;
      const { workspace_id: workspaceId, job_id: jobId } = this.key;
      const rows = taken.map((archived) => {
        const stored = this.made.ids.next(this.made.now());
        return statement`(${workspaceId}, ${jobId}, 'record', ${archived}, ${stored})`;
      });
      await write(async (tx) => {
        await tx.run(statement`insert into archive_ids
          (workspace_id, job_id, kind, archived, stored) values ${join(rows)}
          on conflict do nothing`);
      });
    }
    this.#count = undefined;
  }

  /** Replaces ids that were taken in lines of the archive, wherever a line names them. */
  async applied(reader: Reader, lines: readonly string[]): Promise<readonly string[]> {
    this.#count ??= await renamedCount(reader, this.key);
    if (this.#count === 0) return lines;
    const named = [...new Set(lines.flatMap((line) => line.match(ids) ?? []))];
    const stored = new Map<string, string>();
    for (let start = 0; start < named.length; start += idsAtOnce) {
      const some = named.slice(start, start + idsAtOnce);
      for (const row of await renamedAmong(reader, this.key, some)) {
        stored.set(row.archived, row.stored);
      }
    }
    return lines.map((line) => line.replace(ids, (id) => stored.get(id) ?? id));
  }
}

type WriteUnit = (unit: (tx: Writer) => Promise<void>) => Promise<void>;

export interface RenamedId {
  readonly archived: string;
  readonly stored: string;
}

function renamedAmong(
  reader: Reader,
  { workspace_id: workspaceId, job_id: jobId }: ArchiveKey,
  some: readonly string[],
): Promise<RenamedId[]> {
  return reader.all<RenamedId>(statement`select archived, stored from archive_ids
    where workspace_id = ${workspaceId} and job_id = ${jobId} and kind = 'record'
      and ${isOneOf(raw("archived"), some)}`);
}

/** The first renamed records of an import. */
export function firstRenamed(
  reader: Reader,
  { workspace_id: workspaceId, job_id: jobId }: ArchiveKey,
): Promise<RenamedId[]> {
  return reader.all<RenamedId>(statement`select archived, stored from archive_ids
    where workspace_id = ${workspaceId} and job_id = ${jobId} order by archived
    limit ${shownAtMost}`);
}

export async function renamedCount(
  reader: Reader,
  { workspace_id: workspaceId, job_id: jobId }: ArchiveKey,
): Promise<number> {
  const row = await reader.first<{ count: number }>(statement`select count(*) as count
    from archive_ids where workspace_id = ${workspaceId} and job_id = ${jobId}`);
  return Number(row?.count ?? 0);
}

/**
 * The ids that another record has or had: on SQLite in any workspace, which share its keys. A
 * record of the workspace itself is that of the archive.
 */
async function takenIds(
  reader: Reader,
  workspaceId: string,
  some: readonly string[],
): Promise<string[]> {
  const ofHistory = isOneOf(raw("resource_id"), some);
  const rows = await reader.all<{ id: string }>(
    byDialect({
      sqlite: statement`select id from resources
          where record_number in (${numbersOf(some)}) and ${isOneOf(raw("id"), some)}
        union all select resource_id from resource_history where ${ofHistory}`,
      postgresql: statement`select resource_id as id from resource_history
          where workspace_id = ${workspaceId} and ${ofHistory}`,
    }),
  );
  const own = await typesOfRecords(reader, workspaceId, some);
  const taken = new Set(rows.map(({ id }) => id));
  // An id of another platform may have no number, which records have on SQLite.
  return some.filter((id) => uuidNumber(id) === 0 || (taken.has(id) && !own.has(id)));
}
