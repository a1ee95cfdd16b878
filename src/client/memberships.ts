import type { Membership } from "#contract/access/identity.ts";
import { maximumMemberships } from "#contract/limits.ts";
import type { CallOptions } from "./options.ts";
import { pagesOf } from "./pages.ts";
import type { Client } from "./surface.ts";

/** Options of a call of {@link memberships}. */
export interface MembershipOptions extends CallOptions {
  /** The deleted workspaces that can be restored, instead of the others (default false). */
  readonly deleted?: boolean;
}

/**
 * Returns all workspaces of the user (spec 4.4), also from a deployment that lists them in pages:
 * the next page is requested if it is announced. Throws as calls do.
 */
export async function memberships(
  client: Client,
  { deleted = false, signal, ...call }: MembershipOptions = {},
): Promise<Membership[]> {
  const pages = pagesOf(
    async ({ page = 1, cursor, signal: stop }) => {
      const place = cursor === undefined ? page > 1 && { page } : { cursor };
      const query = { ...(deleted && { deleted: "true" as const }), ...place };
      const body = await client.identity.tenants({ ...call, query, signal: stop });
      return { ...body, hasNextPage: body.hasNextPage ?? false };
    },
    { pageSize: maximumMemberships, signal },
  );
  const items: Membership[] = [];
  for await (const page of pages) items.push(...page.items);
  return items;
}
