import { configurationTypes } from "#contract/access/configuration-types.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";
import type { ChangeDetails } from "../../../../work/change-event.ts";
import type { Facts } from "../../../../work/work.ts";
import type { TypeKey } from "../../../object-types/service.ts";
import { changedNames } from "../patch.ts";
import type { DeletionNote, RecordChange, RecordRemoval, RecordWrite } from "../record-types.ts";

/** Where a write of records reports its events: the facts of the transaction. */
export type Reporter = Pick<Facts, "event">;

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
  const { record, indexed } = write;
  const { version, created_by: actor } = record;
  report(facts, type, record, { op: "created", version, after: indexed, actor });
}

export function reportUpdated(facts: Reporter, type: ReportedType, change: RecordChange): void {
  const { record, indexed, indexedBefore, changes, operation } = change;
  const { version, updated_by: actor } = record;
  const op = operation === "restore" ? "restored" : "updated";
  const values = { ...(indexedBefore && { before: indexedBefore }), after: indexed };
  report(facts, type, record, { op, version, changed: changedNames(changes), ...values, actor });
}

export function reportDeleted(
  facts: Reporter,
  type: ReportedType,
  { id, version, indexed, data }: RecordRemoval,
  { actor }: DeletionNote,
): void {
  const details: ChangeDetails = { op: "deleted", version, before: indexed, actor };
  report(facts, type, { id, data }, details);
}

function report(
  facts: Reporter,
  { slug, workspaceId }: ReportedType,
  { id, data }: { readonly id: string; readonly data: string | JsonObject },
  { actor, ...given }: ChangeDetails,
): void {
  const by = actor === undefined || actor === "" ? undefined : { actor };
  facts.event("record", id, workspaceId, { type: slug, ...given, ...by });
  const also = configured.get(slug);
  if (also === undefined) return;
  // Only the platform writes the text.
  const values = typeof data === "string" ? (JSON.parse(data) as JsonObject) : data;
  const key = ownMember(values, also.key);
  const { op = "updated" } = given;
  facts.event(also.kind, typeof key === "string" ? key : id, workspaceId, { op, ...by });
}
