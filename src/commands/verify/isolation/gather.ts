import type { Client } from "#client/surface.ts";
import { CatalogError } from "#contract/errors.ts";
import { endsProbes } from "../verdict.ts";
import type { Ids } from "./cells.ts";

/** Ids of one workspace, and those among them that were made for this check. */
export interface Gathered {
  readonly ids: Ids;
  readonly made: ReadonlySet<string>;
  /** Removes the made things; returns those that stay, as sentences. */
  remove(): Promise<string[]>;
}

const callMs = 15_000;

export interface GatherOptions {
  readonly tenantId: string;
  readonly signal: AbortSignal;
  /** Whether a person is a member of the caller's workspace too, and may be visible there. */
  isShared(email: string): Promise<boolean>;
}

/** Members that are looked at for one who is no member of both workspaces. */
const membersAtMost = 50;

/**
 * Collects an id of each kind that a workspace has. Things that can be removed are made: a record,
 * a role, a key and a group rule; others are looked up in lists.
 */
export async function gather(
  client: Client,
  { tenantId, signal, isShared }: GatherOptions,
): Promise<Gathered> {
  const call = { signal, timeoutMs: callMs };
  const unique = crypto.randomUUID().replaceAll("-", "");
  const ids: Record<string, string> = { tenantId, parentId: tenantId, childId: tenantId };
  const made = new Set<string>();
  const removals: { readonly what: string; run(): Promise<unknown> }[] = [];
  const first = { query: { limit: 1 }, ...call };

  const found = async (name: string, read: () => Promise<string | undefined>) => {
    const id = await quietly(read);
    if (id !== undefined && id !== "") ids[name] = id;
  };
  await found("objectTypeId", async () => {
    const [type] = (await client.objectTypes.list(first)).items;
    if (type !== undefined) ids["objectType"] = type.slug;
    return type?.id;
  });
  const type = await recordType(client, call);
  if (type !== undefined) {
    const { id, slug } = type;
    Object.assign(ids, { objectType: slug, id });
    made.add("id");
    const params = { objectType: slug, id };
    removals.push({
      what: `record ${id} of ${slug}`,
      run: () => client.resources.delete({ params, ...call }),
    });
  }
  await found("roleDefinitionId", async () => {
    const body = {
      key: `isolation-${unique.slice(0, 12)}`,
      displayName: "Isolation check",
      permissions: ["resources.list"],
    };
    const { id } = await client.members.createRole({ body, ...call });
    made.add("roleDefinitionId");
    const params = { roleDefinitionId: id };
    removals.push({
      what: `role ${id}`,
      run: () => client.members.deleteRole({ params, ...call }),
    });
    return id;
  });
  await found("keyId", async () => {
    const body = { name: "Isolation check", role: "tenant-viewer" } as const;
    const { keyId } = (await client.keys.create({ body, ...call })).key;
    made.add("keyId");
    removals.push({
      what: `key ${keyId}`,
      run: () => client.keys.revoke({ params: { keyId }, ...call }),
    });
    return keyId;
  });
  await found("ruleId", async () => {
    const issuer = "https://isolation.invalid";
    const body = { value: `isolation-${unique}`, role: "tenant-viewer", issuer } as const;
    const { ruleId } = await client.groupRules.set({ body, ...call });
    made.add("ruleId");
    removals.push({
      what: `group rule ${ruleId}`,
      run: () => client.groupRules.delete({ params: { ruleId }, ...call }),
    });
    return ruleId;
  });
  await found("memberId", async () => {
    const { items } = await client.members.list({ query: { limit: membersAtMost }, ...call });
    let member: (typeof items)[number] | undefined;
    for (const each of items) {
      if (each.email === undefined || (await isShared(each.email))) continue;
      member = each;
      break;
    }
    if (member?.oid !== undefined) ids["oid"] = member.oid;
    if (member?.email !== undefined) ids["email"] = member.email;
    return member?.memberId;
  });
  await found("invitationId", async () => {
    return (await client.members.invitations(first)).items[0]?.invitationId;
  });
  await found("documentId", async () => (await client.documents.list(first)).items[0]?.documentId);
  await found("jobId", async () => (await client.documents.listJobs(first)).items[0]?.jobId);
  await found("conversationId", async () => {
    return (await client.chat.conversations(first)).items[0]?.conversation_id;
  });
  return {
    ids,
    made,
    async remove() {
      const left: string[] = [];
      for (const { what, run } of removals) {
        try {
          await run();
        } catch (error) {
          if (!(error instanceof CatalogError)) throw error;
          left.push(`${what} could not be removed: ${error.message}`);
        }
      }
      return left;
    },
  };
}

/** A new record, in the first type that takes one without values. */
async function recordType(
  client: Client,
  call: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<{ readonly slug: string; readonly id: string } | undefined> {
  const list = await quietly(() => client.objectTypes.list({ query: { limit: 50 }, ...call }));
  for (const { slug, properties } of list?.items ?? []) {
    const needsValues = Object.values(properties).some(
      (property) => "required" in property && property.required === true,
    );
    if (needsValues) continue;
    const made = await quietly(() =>
      client.resources.create({ params: { objectType: slug }, body: {}, ...call }),
    );
    if (made !== undefined) return { slug, id: made.id };
  }
  return undefined;
}

/** Undefined where this deployment or role has none; failures of every call are thrown. */
async function quietly<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CatalogError) || endsProbes(error)) throw error;
    return undefined;
  }
}

/** Ids of nothing, of the same form. */
export function absentLike(ids: Ids): Ids {
  const made = new Map<string, string>();
  const absentOf = (hex: string): string => {
    const absent = made.get(hex) ?? crypto.randomUUID().replaceAll("-", "").slice(-hex.length);
    made.set(hex, absent);
    return absent;
  };
  return Object.fromEntries(
    Object.entries(ids).map(([name, id]) => {
      const absent = id.replaceAll(/[\da-f]{12,32}/g, absentOf);
      return [name, absent === id ? `${id.slice(0, 40)}-none` : absent];
    }),
  );
}
