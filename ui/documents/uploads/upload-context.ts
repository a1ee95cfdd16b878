import type { Client, ObjectType, Resource, UploadMetadata } from "#client/index.ts";
import { ownMember } from "#lib/own-member.ts";
import { bindingType, keyPairOf, type KeyPair } from "../../shell/platform/workflow-bindings.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";

/** The context of a document: a workflow or a record (spec 4.1 rule 1). */
export interface UploadContext {
  readonly id: string;
  readonly words: string;
  readonly kind: string;
  readonly metadata: UploadMetadata;
}

/** The Object Types whose records can be a context, with their metadata field. */
const parentFields: Readonly<Record<string, "planningApplicationId" | "businessRequestId">> = {
  "planning-application": "planningApplicationId",
  "business-request": "businessRequestId",
};

const recentRecords = 50;

export function canBelongTo(objectType: string): boolean {
  return Object.hasOwn(parentFields, objectType);
}

export function contextOf(objectType: string, record: Resource): UploadContext | undefined {
  const field = ownMember(parentFields, objectType);
  const { id } = record;
  if (field === undefined) return undefined;
  return { id, words: recordName(record, undefined), kind: objectType, metadata: { [field]: id } };
}

/** The kind of a context that is a workflow. */
export const workflowKind = "workflow";

export function workflowContext({ appKey, workflowKey }: KeyPair): UploadContext {
  return {
    id: `${appKey} ${workflowKey}`,
    words: `${workflowKey} of ${appKey}`,
    kind: workflowKind,
    metadata: { verticalKey: appKey, workflowKey },
  };
}

interface ContextQuery {
  readonly tenantId: string;
  readonly types: readonly ObjectType[];
  /** The keys of the session, offered first. */
  readonly pair: KeyPair | undefined;
  readonly signal: AbortSignal;
}

/** The contexts that a workspace has for a new document, the likeliest first. */
export async function findContexts(client: Client, query: ContextQuery): Promise<UploadContext[]> {
  const { tenantId, types, pair, signal } = query;
  const has = (slug: string) => types.some((type) => type.slug === slug);
  const recent = async (slug: string) =>
    has(slug)
      ? (await client.useResources(slug, { tenantId }).list({ limit: recentRecords, signal })).items
      : [];
  const [bindings, ...parents] = await Promise.all([
    recent(bindingType),
    ...Object.keys(parentFields).map(async (slug) =>
      (await recent(slug)).flatMap((record) => contextOf(slug, record) ?? []),
    ),
  ]);
  const pairs = bindings.flatMap((record) => keyPairOf(record.data) ?? []);
  const workflows = [...(pair === undefined ? [] : [pair]), ...pairs].map(workflowContext);
  const contexts = [...workflows, ...parents.flat()];
  return [...new Map(contexts.map((context) => [context.id, context])).values()];
}
