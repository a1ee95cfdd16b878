import { shown } from "#cli/shown.ts";
import { usageError } from "#cli/errors.ts";
import type { Client } from "#client/surface.ts";
import { catalogError } from "#contract/errors.ts";
import type { DeletedWorkspace, PurgedWorkspace } from "#contract/workspaces/workspace-removal.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { textOption } from "#cli/command.ts";
import { command } from "../kit/command.ts";
import type { CommandContext } from "../kit/context.ts";
import { confirmByName } from "../kit/input/confirm.ts";
import { everyWorkspace, findWorkspace, workspaceIn } from "../kit/workspaces/find.ts";

interface Target {
  readonly id: string;
  /** The ID where the caller is no member. */
  readonly slug: string;
}

/** One of the caller's workspaces; a purge also finds deleted ones, and any other by its ID. */
async function targetOf(
  context: CommandContext,
  client: Client,
  name: string,
  isPurge: boolean,
): Promise<Target> {
  const { signal } = context;
  const items = await everyWorkspace(client, { signal });
  if (isPurge) {
    const deleted = await everyWorkspace(client, { deleted: true, signal });
    // A platform that does not know the parameter returns the same list.
    items.push(...deleted.filter(({ id }) => items.every((each) => each.id !== id)));
  }
  const id = canonicalUuid(name);
  if (id !== undefined && items.every((item) => item.id !== id)) return { id, slug: id };
  return workspaceIn(items, name);
}

/** Spec 4.7 rule 3: the receipt names the child, its parent and the status. */
function requireReceipt(receipt: PurgedWorkspace, childId: string, parentId: string): void {
  const isSame = (one: string | undefined, other: string): boolean =>
    one?.toLowerCase() === other.toLowerCase();
  const isPurged = isSame(receipt.status, "hard_purged");
  if (isPurged && isSame(receipt.childId, childId) && isSame(receipt.parentId, parentId)) return;
  throw catalogError("E203", {
    details: `sent, outcome not confirmed: the receipt does not name the purge of ${childId} below ${parentId}`,
  });
}

async function remove(
  context: CommandContext,
  client: Client,
  target: Target,
  { isPurge, parent }: { readonly isPurge: boolean; readonly parent: Target | undefined },
): Promise<DeletedWorkspace | PurgedWorkspace> {
  const { signal } = context;
  if (parent !== undefined) {
    const params = { parentId: parent.id, childId: target.id };
    const receipt = await client.workspaceRemoval.purgeChild({ params, signal });
    requireReceipt(receipt, target.id, parent.id);
    return receipt;
  }
  const receipt = await client.workspaceRemoval.delete({
    params: { tenantId: target.id },
    body: isPurge ? { hardPurge: true } : {},
    signal,
  });
  const status = isPurge ? "hard_purged" : "deleted";
  if (receipt.status === status) return receipt;
  const isGone = async (): Promise<boolean> => {
    const items = await everyWorkspace(client, { signal });
    return items.every(({ id }) => id.toLowerCase() !== target.id.toLowerCase());
  };
  // A receipt in other words is completed by a read; a purge leaves nothing that could be read.
  if (!isPurge && (await isGone())) return { ...receipt, status };
  throw catalogError("E203", {
    details: `sent, outcome not confirmed: the receipt does not name the deletion of ${target.id}`,
  });
}

function deadlineOf(receipt: DeletedWorkspace | PurgedWorkspace): string | undefined {
  const { restorableUntil } = receipt;
  return typeof restorableUntil === "string" ? restorableUntil : undefined;
}

/** Deletes with a way back, or purges without one (spec 4.7 rule 3). */
export default command({
  path: "workspace delete",
  summary: "Delete a workspace, or purge it without a way back",
  description:
    "A deleted workspace can be restored until its deadline. `--force-hard-purge` removes it for " +
    "good: with --parent as the parent's admin, for a child without children; otherwise as the " +
    "system administrator, with all workspaces below it.",
  arguments: [{ name: "id", description: "ID or slug" }],
  options: {
    force: { type: "boolean", description: "Delete without asking for the slug" },
    "force-hard-purge": { type: "boolean", description: "Purge, without asking" },
    parent: {
      ...textOption("workspace", "Parent workspace (ID or slug) whose admin purges the child"),
      aliases: ["parent-tenant"],
      needs: "force-hard-purge",
    },
  },
  calls: ["identity.tenants", "workspaceRemoval.delete", "workspaceRemoval.purgeChild"],
  answer: ["workspaceRemoval.delete", "workspaceRemoval.purgeChild"],
  examples: ["svc workspace delete licensing --force"],
  trials: [
    {
      words: "shed-{unique} --force",
      after: ["workspace create --name Shed --slug shed-{unique} --parent {workspace}"],
    },
    {
      words: "hut-{unique} --force-hard-purge --parent {workspace}",
      after: ["workspace create --name Hut --slug hut-{unique} --parent {workspace}"],
    },
  ],
  async run(input, context) {
    const { options } = input;
    const { output } = context;
    const name = input.arguments.id;
    const isPurge = options["force-hard-purge"];
    if (options.parent?.toLowerCase() === name.toLowerCase()) {
      throw usageError("--parent must be another workspace than the one to purge");
    }
    const client = await context.clientWithoutWorkspace();
    const target = await targetOf(context, client, name, isPurge);
    const parent =
      options.parent === undefined ? undefined : await findWorkspace(context, options.parent);
    if (parent?.id === target.id) {
      throw usageError("--parent must be another workspace than the one to purge");
    }
    if (!isPurge && !options.force) {
      await confirmByName(context, `Delete the workspace ${target.slug}?`, target.slug, "--force");
    }
    const receipt = await remove(context, client, target, { isPurge, parent });
    await output.data(receipt, () =>
      output.fields([
        ["status", receipt.status],
        ["workspace", target.slug],
        ["parent", parent?.slug],
        ["restorable until", deadlineOf(receipt)],
        ...Object.entries(receipt.removed ?? {}).map(
          ([noun, count]) => [noun, String(count)] as const,
        ),
      ]),
    );
    if (!output.isJson && !isPurge) {
      await output.note(shown`Restore it with \`svc workspace restore ${target.slug}\``);
    }
    const selected = (await context.settings()).workspace?.value.id;
    if (!output.isJson && selected === target.id) {
      await output.note(
        shown`It was your selected workspace: choose another with \`svc workspace select\``,
      );
    }
  },
});
