import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { pageQuery, printPage } from "../kit/output/pages.ts";

export default command({
  path: "chat list",
  summary: "List your conversations, newest first",
  arguments: [],
  options: {
    "tenant-id": tenantOption,
  },
  pages: { of: "Conversations" },
  calls: ["chat.conversations"],
  answer: "chat.conversations",
  examples: ["svc chat list"],
  async run({ options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options["tenant-id"] });
    const list = await client.useChat().conversations({ ...pageQuery(options), signal });
    await printPage(output, list, {
      options,
      none: "No conversations",
      columns: [
        { heading: "started", value: ({ created_at }) => created_at?.slice(0, 16) },
        { heading: "title", value: ({ title }) => title },
        { heading: "workflow", value: ({ workflowId }) => workflowId, optional: true },
        { heading: "messages", value: ({ messageCount }) => messageCount, align: "right" },
        { heading: "id", value: ({ conversation_id }) => conversation_id, whole: true },
      ],
    });
  },
});
