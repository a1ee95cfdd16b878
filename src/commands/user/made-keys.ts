import { shown } from "#cli/shown.ts";
import type { Client } from "#client/surface.ts";
import { keyChoices } from "#contract/access/key-choices.ts";
import { counted } from "#lib/text/counted.ts";
import { CatalogError } from "#contract/errors.ts";
import type { ChangedKey, ServiceKey } from "#contract/access/keys.ts";
import type { CommandContext } from "../kit/context.ts";
import { roleWords } from "../kit/roles.ts";
import { oidOf } from "./members.ts";

/**
 * The working API keys that a member made, the newest first, at most 500; none where the platform
 * has no keys or shows them to others only.
 */
export async function madeKeys(
  context: CommandContext,
  client: Client,
  name: string,
): Promise<ServiceKey[]> {
  return keysMadeBy(context, client, () => oidOf(context, client, name, { isMember: true }));
}

/** {@link madeKeys} of a user whose id is found out. */
export async function keysMadeBy(
  { signal }: CommandContext,
  client: Client,
  findOid: () => Promise<string>,
): Promise<ServiceKey[]> {
  return whereShown(async () => {
    const createdBy = await findOid();
    const { items } = await client.keys.list({ query: { createdBy, limit: 500 }, signal });
    // A deployment may ignore `createdBy`, and list all its keys.
    return items.filter((key) => key.created_by === createdBy && key.status === "active");
  });
}

/** None where the platform has no such list or shows it to others only. */
export async function whereShown<Item>(list: () => Promise<Item[]>): Promise<Item[]> {
  try {
    return await list();
  } catch (error) {
    const status = error instanceof CatalogError ? error.status : undefined;
    if (status === undefined || ![403, 404, 405, 501].includes(status)) throw error;
    return [];
  }
}

/** Names and roles of keys, e.g. `Import (tenant-staff), Sync (tenant-viewer)`. */
export function keyWords(keys: readonly ServiceKey[]): string {
  return keys.map((key) => `${key.name ?? key.keyId} (${roleWords(key)})`).join(", ");
}

/** Keys with their number, e.g. `1 API key: Import (tenant-staff)`. */
export function countedKeys(keys: readonly ServiceKey[]): string {
  return `${counted(keys.length, "API key")}: ${keyWords(keys)}`;
}

/** The option that decides about the keys that a former member made. */
export function keysOption(maker: string) {
  return {
    type: "string",
    values: keyChoices,
    default: "revoke",
    description: `Revoke or keep the API keys that ${maker} made`,
  } as const;
}

/** Prints what became of the keys that a member made. */
export async function noteKeys(
  { output }: CommandContext,
  name: string,
  keys: readonly ChangedKey[] | undefined,
): Promise<void> {
  if (keys === undefined || keys.length === 0) return;
  const words = keys.map((key) => {
    const { keyId, name: keyName = keyId, status } = key;
    if (status === "lowered") return `${keyName} is now ${roleWords(key)}`;
    if (status === "kept") return `${keyName} stays ${roleWords(key)}`;
    return status === "revoked" ? `${keyName} is revoked` : `${keyName} has no access here`;
  });
  await output.note(shown`API keys that ${name} made: ${words.join("; ")}`);
}
