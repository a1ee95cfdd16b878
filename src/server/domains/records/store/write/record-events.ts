import { configurationTypes } from "#contract/access/configuration-types.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";
import { rowCharacters, textOf } from "../../../../work/change-batches.ts";
import type { ChangeDetails, ChangeEvent } from "../../../../work/change-event.ts";
import type { Facts } from "../../../../work/work.ts";
import type { TypeKey } from "../../../object-types/service.ts";
import { changedNames } from "../patch.ts";
import type { DeletionNote, RecordChange, RecordRemoval, RecordWrite } from "../record-types.ts";

/** Where a write of records reports its events: the facts of the transaction. */
export type Reporter = Pick<Facts, "event" | "storable" | "stored">;

/** The facts of the request that writes a record; several requests share a merged write. */
export type FactsOf<Write> = (write: Write) => Reporter;

export interface ReportedType extends TypeKey {
  readonly slug: string;
}

/** Records of these types are apps and workflows too; the property has the key. */
const configured: ReadonlyMap<string, Configured> = new Map([
  [configurationTypes.workflow, { kind: "workflow", key: "workflow_key" }],
  [configurationTypes.binding, { kind: "app", key: "vertical_key" }],
  [configurationTypes.enrollment, { kind: "app", key: "vertical_key" }],
]);

interface Configured {
  readonly kind: "app" | "workflow";
  readonly key: string;
}

export function reportCreated(facts: Reporter, type: ReportedType, write: RecordWrite): void {
  report(facts, type, write.record, creationOf(type, write));
}

/** Each new record has one, so this copies no object. */
function creationOf({ slug: type }: ReportedType, { record, indexed }: RecordWrite): ChangeDetails {
  const { version, created_by: by } = record;
  return { op: "created", type, version, after: indexed, actor: by === "" ? undefined : by };
}

/** True for a type whose records are neither apps nor workflows too. */
export function hasOneEvent(slug: string): boolean {
  return !configured.has(slug);
}

/** The events of new records, for the statement that inserts these. */
export interface StorableCreations {
  /** The events by the ids of their records, and their JSON. */
  readonly events: ReadonlyMap<string, { readonly event: ChangeEvent; readonly text: string }>;
  readonly characters: number;
}

/**
 * Returns undefined where another statement stores the events: those of an app or a workflow have
 * two for each record, and a row of the feed has a limit.
 */
export function storableCreations<Write extends RecordWrite>(
  type: ReportedType,
  writes: readonly Write[],
  factsOf: FactsOf<Write>,
): StorableCreations | undefined {
  if (!hasOneEvent(type.slug)) return undefined;
  const events = new Map<string, { event: ChangeEvent; text: string }>();
  let characters = 0;
  for (const write of writes) {
    const { id } = write.record;
    const details = creationOf(type, write);
    const event = factsOf(write).storable("record", id, type.workspaceId, details);
    if (event === undefined) return undefined;
    const text = textOf(event);
    characters += text.length;
    events.set(id, { event, text });
  }
  return characters > rowCharacters ? undefined : { events, characters };
}

export function reportUpdated(facts: Reporter, type: ReportedType, change: RecordChange): void {
  const { record, indexed, indexedBefore, changes, operation } = change;
  const { version, updated_by: actor } = record;
  const op = operation === "restore" ? "restored" : "updated";
  const values = { ...(indexedBefore && { before: indexedBefore }), after: indexed };
  const changed = changedNames(changes);
  const details = { op, type: type.slug, version, changed, ...values, actor } as const;
  report(facts, type, record, byActor(details));
}

export function reportDeleted(
  facts: Reporter,
  type: ReportedType,
  { id, version, indexed, data }: RecordRemoval,
  { actor }: DeletionNote,
): void {
  const details = { op: "deleted", type: type.slug, version, before: indexed, actor } as const;
  report(facts, type, { id, data }, byActor(details));
}

function report(
  facts: Reporter,
  { slug, workspaceId }: ReportedType,
  { id, data }: { readonly id: string; readonly data: string | JsonObject },
  details: ChangeDetails,
): void {
  facts.event("record", id, workspaceId, details);
  const also = configured.get(slug);
  if (also === undefined) return;
  // Only the platform writes the text.
  const values = typeof data === "string" ? (JSON.parse(data) as JsonObject) : data;
  const key = ownMember(values, also.key);
  const { actor, op = "updated" } = details;
  const by = { op, ...(actor !== undefined && { actor }) };
  facts.event(also.kind, typeof key === "string" ? key : id, workspaceId, by);
}

/** Work of no caller leaves the actor to the transaction. */
function byActor({ actor, ...details }: ChangeDetails): ChangeDetails {
  return actor === undefined || actor === "" ? details : { ...details, actor };
}
