import { missingField } from "#cli/errors.ts";
import { workflowKeyOf } from "#client/enrollments.ts";
import type { CommandContext } from "../context.ts";

const workflowsAtMost = 50;

/**
 * The workflow of a conversation in the terminal: that of the conversation to continue, or the only
 * one of the workspace. Throws E303 with the names when the workspace has none or several.
 */
export async function chosenWorkflow(
  context: CommandContext,
  options: { readonly "tenant-id"?: string; readonly "conversation-id"?: string },
): Promise<string> {
  const { signal } = context;
  const client = await context.client({ workspace: options["tenant-id"] });
  const conversationId = options["conversation-id"];
  if (conversationId !== undefined) {
    const { workflowId } = await client.useChat().conversation(conversationId, { signal });
    if (workflowId !== undefined) return workflowId;
  }
  const { items } = await client
    .useResources("shared-workflow-config")
    .list({ limit: workflowsAtMost, signal });
  const keys = [...new Set(items.flatMap(({ data }) => workflowKeyOf(data) ?? []))].toSorted();
  const [only] = keys;
  if (only === undefined) throw missingField("--workflow", "The workspace has no workflow");
  if (keys.length === 1) return only;
  throw missingField("--workflow", `The workspace has ${keys.join(", ")}`);
}
