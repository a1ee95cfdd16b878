import type { Client } from "#client/surface.ts";
import type { Member } from "#contract/access/members.ts";
import { CatalogError } from "#contract/errors.ts";
import type { CommandContext } from "../context.ts";

/** The member with this address; undefined for any other person. */
export async function presentMember(
  { signal }: CommandContext,
  client: Client,
  email: string,
): Promise<Member | undefined> {
  try {
    return await client.members.byEmail({ query: { email }, signal });
  } catch (error) {
    if (error instanceof CatalogError && error.code === "E202") return undefined;
    throw error;
  }
}
