import { catalogError } from "#contract/errors.ts";
import type { Membership } from "#contract/identity.ts";
import type { CommandContext } from "../context.ts";

/** The caller's workspace with this ID or slug. Throws E202, or E305 when a slug is not unique. */
export async function findWorkspace(
  context: Pick<CommandContext, "clientWithoutWorkspace" | "signal">,
  wanted: string,
): Promise<Membership> {
  const client = await context.clientWithoutWorkspace();
  const { items } = await client.identity.tenants({ signal: context.signal });
  return workspaceIn(items, wanted);
}

/** The one of these workspaces with this ID or slug. Throws as `findWorkspace` does. */
export function workspaceIn(items: readonly Membership[], wanted: string): Membership {
  const byId = items.find((item) => item.id === wanted.toLowerCase());
  if (byId !== undefined) return byId;
  const [first, second] = items.filter((item) => item.slug === wanted);
  if (first === undefined) throw catalogError("E202", { resource: `Workspace "${wanted}"` });
  if (second !== undefined) {
    throw catalogError("E305", {
      details: `several workspaces have the slug "${wanted}": use the ID`,
    });
  }
  return first;
}
