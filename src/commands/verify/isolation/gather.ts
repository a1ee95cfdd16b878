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
  /** Returns whether a person is a member of the caller's workspace too, and visible there. */
  isShared(email: string): Promise<boolean>;
}

/** Members that are looked at for one who is no member of both workspaces. */
const membersAtMost = 50;

/** The state of a collection: what was found so far, and what must be removed. */
class Gathering {
  readonly ids: Record<string, string>;
  readonly made = new Set<string>();
  readonly call: { readonly signal: AbortSignal; readonly timeoutMs: number };
  readonly #removals: { readonly what: string; run(): Promise<unknown> }[] = [];

  constructor({ tenantId, signal }: GatherOptions) {
    this.ids = { tenantId, parentId: tenantId, childId: tenantId };
    this.call = { signal, timeoutMs: callMs };
  }

  async find(name: string, read: () => Promise<string | undefined>): Promise<void> {
    const id = await quietly(read);
    if (id !== undefined && id !== "") this.ids[name] = id;
  }

  /** Notes a new thing with the call that removes it; returns its ID. */
  note(name: string, id: string, what: string, run: () => Promise<unknown>): string {
    this.made.add(name);
    this.#removals.push({ what, run });
    return id;
  }

  /** Removes what was made; returns a sentence for each thing that stays. */
  async remove(): Promise<string[]> {
    const left: string[] = [];
    for (const { what, run } of this.#removals) {
      try {
        await run();
      } catch (error) {
        if (!(error instanceof CatalogError)) throw error;
        left.push(`${what} could not be removed: ${error.message}`);
      }
    }
    return left;
  }
}

/**
 * Collects an id of each kind that a workspace has. Things that can be removed are made: a record,
 * a role, a key, a group rule, an alert rule, a webhook endpoint, a webhook source, a dataset
 * and a report; others are looked up in lists.
 */
export async function gather(client: Client, options: GatherOptions): Promise<Gathered> {
  const gathering = new Gathering(options);
  await makeThings(client, gathering);
  await findThings(client, gathering, options);
  const { ids, made } = gathering;
  return { ids, made, remove: () => gathering.remove() };
}

async function makeThings(client: Client, gathering: Gathering): Promise<void> {
  const { call, ids } = gathering;
  const unique = crypto.randomUUID().replaceAll("-", "");
  await gathering.find("objectTypeId", async () => {
    const [type] = (await client.objectTypes.list({ query: { limit: 1 }, ...call })).items;
    if (type !== undefined) ids["objectType"] = type.slug;
    return type?.id;
  });
  const type = await recordType(client, call);
  if (type !== undefined) {
    const { id, slug } = type;
    Object.assign(ids, { objectType: slug, id });
    const params = { objectType: slug, id };
    gathering.note("id", id, `record ${id} of ${slug}`, () =>
      client.resources.delete({ params, ...call }),
    );
  }
  await gathering.find("importId", async () => {
    // The platform forgets an import after 30 days.
    const body = { digest: unique.repeat(2), filename: "isolation-check.csv" };
    return (
      await client.imports.start({ params: { objectType: ids["objectType"] ?? "" }, body, ...call })
    ).id;
  });
  await gathering.find("roleDefinitionId", async () => {
    const body = {
      key: `isolation-${unique.slice(0, 12)}`,
      displayName: "Isolation check",
      permissions: ["resources.list"],
    };
    const { id } = await client.members.createRole({ body, ...call });
    const params = { roleDefinitionId: id };
    return gathering.note("roleDefinitionId", id, `role ${id}`, () =>
      client.members.deleteRole({ params, ...call }),
    );
  });
  await gathering.find("keyId", async () => {
    const body = { name: "Isolation check", role: "tenant-viewer" } as const;
    const { keyId } = (await client.keys.create({ body, ...call })).key;
    return gathering.note("keyId", keyId, `key ${keyId}`, () =>
      client.keys.revoke({ params: { keyId }, ...call }),
    );
  });
  await gathering.find("ruleId", async () => {
    const issuer = "https://isolation.invalid";
    const body = { value: `isolation-${unique}`, role: "tenant-viewer", issuer } as const;
    const { ruleId } = await client.groupRules.set({ body, ...call });
    return gathering.note("ruleId", ruleId, `group rule ${ruleId}`, () =>
      client.groupRules.delete({ params: { ruleId }, ...call }),
    );
  });
  await gathering.find("alertRuleId", async () => {
    const body = { name: "Isolation check", kind: "job" } as const;
    const { id } = await client.alerts.createRule({ body, ...call });
    const params = { alertRuleId: id };
    return gathering.note("alertRuleId", id, `alert rule ${id}`, () =>
      client.alerts.removeRule({ params, ...call }),
    );
  });
  await makeWebhooks(client, gathering);
  await makeDataset(client, gathering, `isolation-${unique.slice(0, 12)}`);
  await gathering.find("archiveId", async () => {
    const { id } = await client.archives.create({ body: { groups: ["types"] }, ...call });
    return gathering.note("archiveId", id, `archive ${id}`, () =>
      client.archives.remove({ params: { archiveId: id }, ...call }),
    );
  });
}

/** A dataset with one feature, and a report about it. */
async function makeDataset(client: Client, gathering: Gathering, dataset: string): Promise<void> {
  const { call } = gathering;
  const params = { dataset };
  await gathering.find("dataset", async () => {
    await client.geoDatasets.create({ body: params, ...call });
    gathering.note("dataset", dataset, `dataset ${dataset}`, () =>
      client.geoDatasets.remove({ params, ...call }),
    );
    await gathering.find("feature", async () => {
      return (await client.geoFeatures.create({ params, body: { geometry: null }, ...call })).id;
    });
    await gathering.find("report", async () => {
      const body = { report: dataset, source: params, by: { kind: "grid", degrees: 1 } } as const;
      await client.geoReports.create({ body, ...call });
      return gathering.note("report", dataset, `report ${dataset}`, () =>
        client.geoReports.remove({ params: { report: dataset }, ...call }),
      );
    });
    return dataset;
  });
}

/** An endpoint that sends nothing by itself, with one delivery, and a source without a call. */
async function makeWebhooks(client: Client, gathering: Gathering): Promise<void> {
  const { call } = gathering;
  await gathering.find("endpointId", async () => {
    const body = { temporary: true, description: "Isolation check" };
    const { id } = await client.webhooks.create({ body, ...call });
    const params = { endpointId: id };
    gathering.note("endpointId", id, `webhook endpoint ${id}`, () =>
      client.webhooks.remove({ params, ...call }),
    );
    await gathering.find("deliveryId", async () => {
      return (await client.webhooks.test({ params, ...call })).id;
    });
    return id;
  });
  await gathering.find("source", async () => {
    const body = { name: "Isolation check" };
    const { source } = await client.webhookSources.create({ body, ...call });
    return gathering.note("source", source, `webhook source ${source}`, () =>
      client.webhookSources.remove({ params: { source }, ...call }),
    );
  });
}

async function findThings(
  client: Client,
  gathering: Gathering,
  { isShared }: GatherOptions,
): Promise<void> {
  const { call, ids } = gathering;
  const first = { query: { limit: 1 }, ...call };
  await gathering.find("memberId", async () => {
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
  await gathering.find("invitationId", async () => {
    return (await client.members.invitations(first)).items[0]?.invitationId;
  });
  await gathering.find("documentId", async () => {
    return (await client.documents.list(first)).items[0]?.documentId;
  });
  await gathering.find("jobId", async () => {
    return (await client.documents.listJobs(first)).items[0]?.jobId;
  });
  await gathering.find("alertId", async () => (await client.alerts.list(first)).items[0]?.id);
  await gathering.find("conversationId", async () => {
    return (await client.chat.conversations(first)).items[0]?.conversation_id;
  });
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
