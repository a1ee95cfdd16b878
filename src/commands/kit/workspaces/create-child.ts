import { shown } from "#cli/shown.ts";
import type { Client } from "#client/surface.ts";
import { catalogError } from "#contract/errors.ts";
import type { ChildCreation, Workspace } from "#contract/workspaces/workspaces.ts";
import type { CommandContext } from "../context.ts";
import { findWorkspace } from "./find.ts";

/** Creates the child, then its first admin, and checks the membership (spec 4.7). */
export async function createChild(
  context: CommandContext,
  client: Client,
  parent: string,
  body: ChildCreation,
): Promise<Workspace> {
  const { signal } = context;
  const parentId = (await findWorkspace(context, parent)).id;
  const child = await client.workspaces.createChild({ params: { parentId }, body, signal });
  if (child.id === "") {
    throw catalogError(
      "E203",
      {
        details: `sent, outcome not confirmed: the response does not name the child of ${parentId}`,
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
