import { rewritePassageEntries } from "../../domains/documents/service.ts";
import { allObjectTypes } from "../../domains/object-types/service.ts";
import { fillEntries, refillEntries } from "../../domains/records/service.ts";
import { statement } from "../../database/statement.ts";
import { openPlatformDatabase } from "../../schema/platform-database.ts";
import type { Work } from "../../work/work.ts";
import { maintenanceWork } from "../../work/works.ts";
import type { PartDifference } from "./walk.ts";
import type { MovedTable } from "./tables.ts";

/** Texts of the target that have changed since its search index was made. */
export class SearchedChanges {
  /** The ids of records by their type's number. */
  readonly records = new Map<number, string[]>();
  /** Numbers of types whose definition has changed. */
  readonly types = new Set<number>();
  /** Workspaces with documents that have changed. */
  readonly workspaces = new Set<string>();

  clear(): void {
    this.records.clear();
    this.types.clear();
    this.workspaces.clear();
  }

  note(table: MovedTable, { onlyTarget, changed, onlySource }: PartDifference): void {
    const at = (name: string): number => table.columns.findIndex((each) => each.name === name);
    for (const row of [...onlyTarget, ...changed, ...onlySource]) {
      if (table.name === "resources") {
        const number = Number(row[at("type_number")]);
        const ids = this.records.get(number) ?? [];
        this.records.set(number, ids);
        ids.push(String(row[at("id")]));
      } else if (table.name === "object_types") this.types.add(Number(row[at("number")]));
      else if (table.name === "documents" || table.name === "document_chunks") {
        this.workspaces.add(String(row[at("workspace_id")]));
      }
    }
  }
}

/**
 * Makes the search index of a target: each engine has its own form of it. With `changes`, for the
 * texts of these only.
 */
export async function makeSearchIndex(
  url: string,
  {
    changes,
    signal,
  }: { readonly changes?: SearchedChanges; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const database = await openPlatformDatabase({
    url,
    isExclusive: false,
    sortsInFile: true,
    poolSize: 2,
  });
  const work = maintenanceWork(database, "the search index of moved data");
  try {
    for (const workspaceId of await workspacesOf(work)) {
      if (changes === undefined || changes.workspaces.has(workspaceId)) {
        await rewritePassageEntries(work, workspaceId);
      }
      for (const type of await allObjectTypes(work.read, workspaceId)) {
        signal?.throwIfAborted();
        const ids = changes?.records.get(type.number) ?? [];
        if (changes === undefined || changes.types.has(type.number)) {
          await fillEntries(
            work,
            type,
            () => signal?.throwIfAborted(),
            // The words of the source are copied as rows.
            async () => {},
          );
        } else await refillEntries(work, type, ids);
      }
    }
  } finally {
    await database.close();
  }
}

async function workspacesOf(work: Work): Promise<string[]> {
  const rows = await work.read.all<{ id: string }>(statement`select workspace_id as id
    from object_types union select workspace_id from documents order by 1`);
  return rows.map(({ id }) => id);
}
