import type { Client, DocumentJob, Membership, ObjectType, Resource } from "#client/index.ts";
import { isConfigurationType } from "#contract/access/configuration-types.ts";
import { dataFields } from "../kit/data-fields/data-fields.ts";
import { dueFilters } from "../kit/data-fields/due-filters.ts";
import { parseFilter } from "../kit/filter/filter-language.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";

const readDue = 40;
const readWrites = 40;
const readJobs = 20;
/** Types whose records are read. */
const readTypes = 6;
const refreshMs = 60_000;

/** A record with the type that names it. */
export interface TypedRecord {
  readonly type: ObjectType;
  readonly record: Resource;
}

/** The contents of one workspace that call for attention, and its last writes. */
export interface WorkspaceState {
  readonly types: readonly ObjectType[];
  /** Open records that are overdue or due next, each with its date, the latest ones first. */
  readonly due: readonly (TypedRecord & { readonly date: string })[];
  readonly writes: readonly TypedRecord[];
  readonly jobs: readonly DocumentJob[];
}

interface Scope {
  readonly workspace: Membership;
  readonly signal: AbortSignal;
}

async function dueOf(client: Client, type: ObjectType, { workspace, signal }: Scope) {
  const due = dueFilters(type, workspace.timeZone ?? "UTC", Date.now());
  const parsed = due === undefined ? undefined : parseFilter(due.next, dataFields(type));
  if (due === undefined || parsed === undefined || !("where" in parsed)) return [];
  const records = client.useResources(type.slug, { tenantId: workspace.id });
  const { where } = parsed;
  const { items } = await records.list({ where, sort: due.name, limit: readDue, signal });
  return items.map((record) => {
    const date = record.data[due.name];
    return { type, record, date: typeof date === "string" ? date : "" };
  });
}

async function writesOf(client: Client, type: ObjectType, { workspace, signal }: Scope) {
  const records = client.useResources(type.slug, { tenantId: workspace.id });
  const { items } = await records.list({ sort: "-updated_at", limit: readWrites, signal });
  return items.map((record) => ({ type, record }));
}

/** Reads a workspace. A part that the role may not read is empty. */
async function stateOf(client: Client, scope: Scope): Promise<WorkspaceState> {
  const { workspace, signal } = scope;
  const tenantId = workspace.id;
  const { objectTypes } = await client.objectTypes.schema({ tenantId, signal });
  const types = objectTypes.filter(({ slug }) => !isConfigurationType(slug));
  const read = types.filter(({ recordCount = 1 }) => recordCount > 0).slice(0, readTypes);
  const none = () => [];
  const [due, writes, jobs] = await Promise.all([
    Promise.all(read.map((type) => dueOf(client, type, scope).catch(none))),
    Promise.all(read.map((type) => writesOf(client, type, scope).catch(none))),
    client
      .useDocuments(tenantId)
      .jobs({ limit: readJobs, signal })
      .then(({ items }) => items, none),
  ]);
  signal.throwIfAborted();
  return {
    types,
    due: due.flat().toSorted((a, b) => a.date.localeCompare(b.date)),
    writes: writes
      .flat()
      .toSorted((a, b) => (b.record.updated_at ?? "").localeCompare(a.record.updated_at ?? "")),
    jobs,
  };
}

/** The state of one workspace, which need not be the open one. */
export function useWorkspaceState(workspace: Membership | undefined): LiveAnswer<WorkspaceState> {
  return useAnswer<WorkspaceState>(
    ["home.workspace", workspace?.id],
    (client, signal) => {
      if (workspace === undefined) throw new Error("no workspace is selected");
      return stateOf(client, { workspace, signal });
    },
    { refreshMs, enabled: workspace !== undefined, anywhere: true },
  );
}
