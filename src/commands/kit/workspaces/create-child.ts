import { shown } from "#cli/shown.ts";
import type { Client } from "#client/surface.ts";
import { CatalogError, catalogError } from "#contract/errors.ts";
import type { Membership } from "#contract/access/identity.ts";
import type { ChildCreation, Workspace } from "#contract/workspaces/workspaces.ts";
import type { CommandContext } from "../context.ts";
import { everyWorkspace, workspaceIn } from "./find.ts";

/** Creates the child, then its first admin, and checks the membership (spec 4.7). */
export async function createChild(
  context: CommandContext,
  client: Client,
  parent: string,
  body: ChildCreation,
): Promise<Workspace> {
  const { signal } = context;
  const before = await everyWorkspace(await context.clientWithoutWorkspace(), { signal });
  const parentId = workspaceIn(before, parent).id;
  const child = await createdWorkspace(
    await client.workspaces.createChild({ params: { parentId }, body, signal }),
    () => everyWorkspace(client, { signal }),
    { slug: body.slug, parentId, before },
  );
  if (child.id === "") {
    throw catalogError(
      "E203",
      {
        details: `sent, outcome not confirmed: neither the response nor the list of workspaces names the child "${body.slug}" of ${parentId}`,
      },
      { hint: `Look for "${body.slug}" before you create it again: \`svc workspace list --all\`` },
    );
  }
  // A later failure leaves the child, whose ID only this response has.
  await context.output.note(shown`Created the workspace ${child.slug} (${child.id})`);
  const admin = await client.workspaces.bootstrapAdmin({
    params: { parentId, childId: child.id },
    signal,
  });
  const oid = admin.oid ?? (await client.identity.me({ signal })).oid;
  const { items } = await client.members.memberships({
    params: { tenantId: child.id, oid },
    tenantId: child.id,
    signal,
  });
  if (!items.some(({ id }) => id.toLowerCase() === child.id.toLowerCase())) {
    throw catalogError("E203", {
      details: `workspace ${child.id} was created, but you are not its admin`,
    });
  }
  return child;
}

/** What tells a new workspace apart in the caller's list. */
interface Creation {
  readonly slug: string;
  /** Absent for a root. */
  readonly parentId?: string;
  /** The caller's workspaces before the creation. */
  readonly before?: readonly Membership[];
}

/**
 * The created workspace with its ID: from the list of workspaces if the response does not name it.
 * Without an ID if the list does not have exactly one such new workspace.
 */
export async function createdWorkspace(
  created: Workspace,
  list: () => Promise<readonly Membership[]>,
  { slug, parentId, before = [] }: Creation,
): Promise<Workspace> {
  if (created.id !== "") return created;
  const known = new Set(before.map(({ id }) => id));
  const now = await list().catch((error: unknown) => {
    if (error instanceof CatalogError) return [];
    throw error;
  });
  const [found, another] = now.filter(
    (one) =>
      one.slug === slug &&
      !known.has(one.id) &&
      (one.parentId ?? parentId)?.toLowerCase() === parentId?.toLowerCase(),
  );
  return found === undefined || another !== undefined ? created : { ...created, id: found.id };
}
