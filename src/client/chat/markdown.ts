import { plainLine, plainText } from "#lib/text/terminal.ts";
import type { ChatMessage, Citation } from "#contract/documents/chat.ts";
import type { FullConversation } from "./chat.ts";
import { nearestWords } from "./nearest-words.ts";

/**
 * A conversation as Markdown, with the sources of each answer. It is text for people, who may show
 * it on a terminal: JSON has every character.
 */
export function conversationMarkdown(conversation: FullConversation): string {
  const { title = "Conversation", workflowId, created_at, messages } = conversation;
  const facts = [workflowId, created_at].filter((fact) => fact !== undefined).join(", ");
  const head = `# ${plainLine(title)}\n${facts === "" ? "" : `\n${plainLine(facts)}\n`}`;
  return [head, ...messages.map(messageMarkdown)].join("\n");
}

function messageMarkdown(message: ChatMessage): string {
  const { role, content, citations = [], nearest = [], status } = message;
  const name = role === "user" ? "Question" : "Answer";
  const cut = status === undefined || status === "complete" ? "" : " (incomplete)";
  const cited = citations.map(sourceLine);
  const near = nearest.length === 0 ? [] : [`${nearestWords}\n`, ...nearest.map(sourceLine)];
  const sources = [...cited, ...near];
  const list = sources.length === 0 ? "" : `\n${sources.join("\n")}\n`;
  return `## ${name}${cut}\n\n${plainText(content)}\n${list}`;
}

function sourceLine(citation: Citation): string {
  const { id, filename, documentNumber, documentId, page, quote } = citation;
  const place = page === undefined ? "" : `, page ${page}`;
  const source = filename ?? documentNumber ?? documentId;
  return plainLine(`- [${id}] ${source}${place}: “${quote.replace(/\s+/g, " ")}”`);
}
