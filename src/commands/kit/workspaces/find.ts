import { inputError } from "#cli/errors.ts";
import type { MembershipOptions } from "#client/memberships.ts";
import type { Client } from "#client/surface.ts";
import { catalogError } from "#contract/errors.ts";
import type { Membership } from "#contract/access/identity.ts";
import { treeRows, type TreeRow } from "#lib/tree.ts";

/** All workspaces of the caller. */
export async function everyWorkspace(
  client: Client,
  options: MembershipOptions,
): Promise<Membership[]> {
  const { memberships } = await import("#client/memberships.ts");
  return memberships(client, options);
}

/** The caller's workspace with this ID or slug. Throws E202, or E305 when a slug is not unique. */
export async function findWorkspace(
  context: { clientWithoutWorkspace(): Promise<Client>; readonly signal: AbortSignal },
  name: string,
): Promise<Membership> {
  const client = await context.clientWithoutWorkspace();
  return workspaceIn(await everyWorkspace(client, { signal: context.signal }), name);
}

/** The workspace with this ID or slug. Throws as `findWorkspace` does. */
export function workspaceIn(
  items: readonly Membership[],
  name: string,
  what = "Workspace",
): Membership {
  const byId = items.find((item) => item.id === name.toLowerCase());
  if (byId !== undefined) return byId;
  const [first, second] = items.filter((item) => item.slug === name);
  if (first === undefined) throw catalogError("E202", { resource: `${what} "${name}"` });
  if (second === undefined) return first;
  throw inputError(`several workspaces have the slug "${name}": use the ID`);
}

/** Workspaces in tree order: children below their parent, siblings by slug. */
export function treeOrder(items: readonly Membership[]): TreeRow<Membership>[] {
  const bySlug = items.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
  return treeRows(bySlug, { idOf: ({ id }) => id, parentOf: ({ parentId }) => parentId });
}
