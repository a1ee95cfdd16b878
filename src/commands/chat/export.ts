import { shown } from "#cli/shown.ts";
import type { FullConversation } from "#client/chat/chat.ts";
import type { ChatMessage } from "#contract/documents/chat.ts";
import { writeFileAtomically } from "#lib/files/atomic-write.ts";
import { plainLine, plainText } from "#lib/text/terminal.ts";
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
      : markdownOf(conversation);
    const target = input.options.output;
    if (target === undefined) return output.lines(text);
    const path = context.resolvePath(target);
    await written(target, () => writeFileAtomically(path, text, { mode: 0o666 }));
    if (output.isJson) await output.data({ conversationId: id, output: target }, () => []);
    else await output.note(shown`Wrote ${target}`);
  },
});

/** Text for people, who may show the file on a terminal: JSON has every character. */
function markdownOf(conversation: FullConversation): string {
  const { title = "Conversation", workflowId, created_at, messages } = conversation;
  const facts = [workflowId, created_at].filter((fact) => fact !== undefined).join(", ");
  const head = `# ${plainLine(title)}\n${facts === "" ? "" : `\n${plainLine(facts)}\n`}`;
  return `${[head, ...messages.map(messageOf)].join("\n")}`;
}

function messageOf({ role, content, citations = [], status }: ChatMessage): string {
  const name = role === "user" ? "Question" : "Answer";
  const cut = status === undefined || status === "complete" ? "" : " (incomplete)";
  const sources = citations.map((citation) => {
    const { id, filename, documentNumber, documentId, page, quote } = citation;
    const place = page === undefined ? "" : `, page ${page}`;
    const source = filename ?? documentNumber ?? documentId;
    return plainLine(`- [${id}] ${source}${place}: “${quote.replace(/\s+/g, " ")}”`);
  });
  const list = sources.length === 0 ? "" : `\n${sources.join("\n")}\n`;
  return `## ${name}${cut}\n\n${plainText(content)}\n${list}`;
}
