import { shown } from "#cli/shown.ts";
import { conversationMarkdown } from "#client/chat/markdown.ts";
import { writeFileAtomically } from "#lib/files/atomic-write.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { conversationArgument } from "./conversation.ts";
import { written } from "../kit/output/written.ts";

export default command({
  path: "chat export",
  summary: "Write a conversation as Markdown or JSON",
  description:
    "Markdown has the messages with their sources; --format json has everything. Without " +
    "--output it goes to stdout.",
  arguments: [conversationArgument],
  options: {
    "tenant-id": tenantOption,
    output: { type: "string", placeholder: "path", description: "File to write; replaced" },
  },
  calls: ["chat.conversation"],
  answer: ({ z, reply }) =>
    z.union([
      reply("chat.conversation"),
      z.strictObject({ conversationId: z.string(), output: z.string() }),
    ]),
  trials: [
    { words: "conv:17 --output {folder}/chat.md", at: ["other"] },
    { words: "{id}", at: ["stub"] },
  ],
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const id = input.arguments["conversation-id"];
    const conversation = await client.useChat().conversation(id, { signal });
    const text = output.isJson
      ? `${JSON.stringify(conversation, null, 2)}\n`
      : conversationMarkdown(conversation);
    const target = input.options.output;
    if (target === undefined) return output.lines(text);
    const path = context.resolvePath(target);
    await written(target, () => writeFileAtomically(path, text, { mode: 0o666 }));
    if (output.isJson) await output.data({ conversationId: id, output: target }, () => []);
    else await output.note(shown`Wrote ${target}`);
  },
});
