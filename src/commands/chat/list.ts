import { shown } from "#cli/shown.ts";
import { command, tenantOption } from "../command.ts";
import { cursorOption, limitOption, nextPage, pageOption } from "../resources/records/options.ts";

export const chatListCommand = command({
  path: "chat list",
  summary: "List your conversations, newest first",
  arguments: [],
  options: {
    "tenant-id": tenantOption,
    page: pageOption("cursor"),
    limit: limitOption("Conversations per page"),
    cursor: cursorOption,
  },
  routes: ["GET /v4/ai/chat/{tenantId}/conversations"],
  examples: ["svc chat list"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const client = await context.client({ workspace: options["tenant-id"] });
    const { cursor, limit, page } = options;
    const place = cursor === undefined ? { page } : { cursor };
    const list = await client.useChat().conversations({ limit, ...place, signal });
    await output.data(list, () =>
      output.table(list.items, [
        { heading: "started", value: ({ created_at }) => created_at?.slice(0, 16) },
        { heading: "title", value: ({ title }) => title },
        { heading: "workflow", value: ({ workflowId }) => workflowId, optional: true },
        { heading: "messages", value: ({ messageCount }) => messageCount, align: "right" },
        { heading: "id", value: ({ conversation_id }) => conversation_id, whole: true },
      ]),
    );
    if (output.isJson) return;
    if (list.items.length === 0) await output.note(shown`No conversations`);
    if (list.items.length === 0 || list.hasNextPage !== true) return;
    await output.note(output.tone("dim", `More: ${nextPage(list, options)}`));
  },
});
