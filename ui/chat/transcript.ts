import { nearestWords } from "#client/chat/nearest-words.ts";
import type { Citation } from "#client/index.ts";
import type { Span, StyledLine } from "../kit/text/styled-lines.ts";
import { clipText, textWidth, wrapText } from "../kit/text/text-layout.ts";
import { markdownLines } from "../kit/text/markdown-lines.ts";

/** The length of the complete blocks of a streamed Markdown text: later text can't change them. */
export function settledLength(text: string): number {
  let settled = 0;
  let fenced = false;
  let at = 0;
  for (const line of text.split("\n")) {
    if (/^\s{0,3}(?:```|~~~)/.test(line)) fenced = !fenced;
    at += line.length + 1;
    if (!fenced && line.trim() === "" && at <= text.length) settled = at;
  }
  return settled;
}

export interface Message {
  readonly id: number;
  readonly role: "you" | "assistant";
  readonly text: string;
  readonly citations: readonly Citation[];
  /** Whether the citations are passages near a question that has no answer. */
  readonly isNear?: boolean | undefined;
  readonly status: "streaming" | "complete" | "incomplete" | "stopped" | "failed";
  /** The model that answered, or the reason of a failure. */
  readonly note?: string | undefined;
}

interface DrawnPart {
  width: number;
  colours: boolean;
  length: number;
  lines: StyledLine[];
}

export interface CitationPlace {
  readonly citation: Citation;
  readonly line: number;
}

export interface TranscriptView {
  readonly lines: readonly StyledLine[];
  readonly citations: readonly CitationPlace[];
}

const indent = "  ";

/** A citation for a letter or a note: the quote, then its place. */
export function citedText(citation: Citation): string {
  const { documentNumber, filename } = citation;
  const number =
    filename === undefined || documentNumber === undefined ? "" : `, ${documentNumber}`;
  return `“${citation.quote.trim().replaceAll(/\s+/g, " ")}” (${citationWords(citation)}${number})`;
}

export function citationWords(citation: Citation): string {
  const name = citation.filename ?? citation.documentNumber ?? citation.documentId;
  return citation.page === undefined ? name : `${name} p. ${citation.page}`;
}

function headLine({ role, status, note }: Message, room: number): StyledLine {
  if (role === "you") return [{ text: "You", as: "you" }];
  const title: Span = { text: "Assistant", as: "title" };
  if (note === undefined || status !== "complete") return [title];
  return [title, { text: `  ${clipText(note, room - 12)}`, as: "quiet" }];
}

function statusLines({ status, note }: Message, room: number): StyledLine[] {
  const words = {
    streaming: "",
    complete: "",
    incomplete: "‖ cut off: this is a part of an answer",
    stopped: "⊘ stopped",
    failed: `✗ ${note ?? "failed"}`,
  }[status];
  const as = status === "failed" ? "bad" : "warn";
  return words === "" ? [] : wrapText(words, room).map((text) => [{ text: indent + text, as }]);
}

function citationLine(citation: Citation, number: number, chosen: boolean, room: number) {
  const head = `[${number}] ${citationWords(citation)}`;
  const quote = ` “${citation.quote.trim().replaceAll(/\s+/g, " ")}”`;
  return [
    { text: indent },
    { text: clipText(head, room), as: chosen ? "selected" : "link" },
    { text: clipText(quote, Math.max(0, room - textWidth(head))), as: "quiet" },
  ] satisfies StyledLine;
}

/**
 * Draws a conversation. The settled part of an answer is wrapped once, and only the tail of a
 * growing answer again with each piece, so that a long answer costs no more than a short one.
 */
export class TranscriptLines {
  readonly #drawn = new Map<number, DrawnPart>();
  #owner = "";

  /** The lines of one conversation: another owner's messages have the same ids. */
  of(owner: string): this {
    if (owner !== this.#owner) this.#drawn.clear();
    this.#owner = owner;
    return this;
  }

  view(
    messages: readonly Message[],
    width: number,
    colours: boolean,
    chosen: number | undefined,
  ): TranscriptView {
    const lines: StyledLine[] = [];
    const citations: CitationPlace[] = [];
    const room = Math.max(8, width - indent.length);
    this.#forgetOthers(messages);
    for (const message of messages) {
      if (lines.length > 0) lines.push([]);
      lines.push(headLine(message, room), ...this.#body(message, room, colours));
      if (message.isNear === true) {
        lines.push([{ text: clipText(indent + nearestWords, width), as: "quiet" }]);
      }
      for (const [index, citation] of message.citations.entries()) {
        const isChosen = citations.length === chosen;
        citations.push({ citation, line: lines.length });
        lines.push(citationLine(citation, index + 1, isChosen, room));
      }
      lines.push(...statusLines(message, room));
    }
    return { lines, citations };
  }

  /** Forgets messages of another conversation and the oldest ones of a long conversation. */
  #forgetOthers(messages: readonly Message[]): void {
    if (this.#drawn.size <= messages.length) return;
    const shown = new Set(messages.map((message) => message.id));
    for (const id of this.#drawn.keys()) if (!shown.has(id)) this.#drawn.delete(id);
  }

  #body(message: Message, width: number, colours: boolean): StyledLine[] {
    const { role, status, text } = message;
    if (role === "you") return this.#questionLines(message, width);
    const end = status === "streaming" ? settledLength(text) : text.length;
    const settled = this.#settledLines(message, end, width, colours);
    if (end === text.length) return settled;
    const tail = answerLines(text.slice(end), width, colours);
    return settled.length > 0 && tail.length > 0
      ? [...settled, [], ...tail]
      : [...settled, ...tail];
  }

  #questionLines({ id, text }: Message, width: number): StyledLine[] {
    const drawn = this.#drawn.get(id);
    if (drawn?.width === width) return drawn.lines;
    const lines = wrapText(text, width).map((line): StyledLine => [{ text: indent + line }]);
    this.#drawn.set(id, { width, colours: false, length: text.length, lines });
    return lines;
  }

  #settledLines(message: Message, end: number, width: number, colours: boolean): StyledLine[] {
    let drawn = this.#drawn.get(message.id);
    if (drawn === undefined || drawn.width !== width || drawn.colours !== colours) {
      drawn = { width, colours, length: 0, lines: [] };
      this.#drawn.set(message.id, drawn);
    }
    if (end > drawn.length) {
      const more = answerLines(message.text.slice(drawn.length, end), width, colours);
      if (drawn.lines.length > 0 && more.length > 0) drawn.lines.push([]);
      drawn.lines.push(...more);
      drawn.length = end;
    }
    return drawn.lines;
  }
}

function answerLines(text: string, width: number, colours: boolean): StyledLine[] {
  return markdownLines(text, width, colours).map((line) => [{ text: indent + line }]);
}
