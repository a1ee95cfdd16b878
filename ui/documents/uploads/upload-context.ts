import type { Client, ObjectType, Resource, UploadMetadata } from "#client/index.ts";
import { ownMember } from "#lib/own-member.ts";
import { bindingType, keyPairOf, type KeyPair } from "../../shell/platform/workflow-bindings.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";

/** What a document can belong to: spec 4.1 rule 1 wants exactly such a context. */
export interface UploadContext {
  readonly id: string;
  readonly words: string;
  readonly kind: string;
  readonly metadata: UploadMetadata;
}

/** Object Types whose records are a context, and the field that names one. */
const parentFields: Readonly<Record<string, "planningApplicationId" | "businessRequestId">> = {
  "planning-application": "planningApplicationId",
  "business-request": "businessRequestId",
};

const recentRecords = 50;

export function canBelongTo(objectType: string): boolean {
  return Object.hasOwn(parentFields, objectType);
}

/** A record as the context of an upload. */
export function contextOf(objectType: string, record: Resource): UploadContext | undefined {
  const field = ownMember(parentFields, objectType);
  if (field === undefined) return undefined;
  return {
    id: record.id,
    words: recordName(record),
    kind: objectType,
    metadata: { [field]: record.id },
  };
}

function pairContext(pair: KeyPair): UploadContext {
  return {
    id: `${pair.appKey} ${pair.workflowKey}`,
    words: `${pair.workflowKey} of ${pair.appKey}`,
    kind: "workflow",
    metadata: { verticalKey: pair.appKey, workflowKey: pair.workflowKey },
  };
}

interface ContextQuery {
  readonly tenantId: string;
  readonly types: readonly ObjectType[];
  /** The pair of the session, offered first. */
  readonly pair: KeyPair | undefined;
  readonly signal: AbortSignal;
}

/** Everything in a workspace that a new document could belong to, the likeliest first. */
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
  const found = [...(pair === undefined ? [] : [pair]), ...pairs].map(pairContext);
  const unique = new Map([...found, ...parents.flat()].map((context) => [context.id, context]));
  return [...unique.values()];
}
