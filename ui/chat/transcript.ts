import type { Citation } from "#client/index.ts";
import { markdownLines, settledLength } from "../kit/text/markdown.ts";
import type { StyledLine } from "../kit/text/styled-lines.ts";
import { clipText, textWidth, wrapText } from "../kit/text/text-layout.ts";

export interface Turn {
  readonly id: number;
  readonly role: "you" | "assistant";
  readonly text: string;
  readonly citations: readonly Citation[];
  /** `streaming` while it grows; `incomplete` when it was cut off; `failed` with words. */
  readonly status: "streaming" | "complete" | "incomplete" | "stopped" | "failed";
  /** What went wrong, or which model answered. */
  readonly note?: string | undefined;
}

interface Settled {
  width: number;
  colours: boolean;
  length: number;
  lines: StyledLine[];
}

const statusWords: Readonly<Record<Turn["status"], string>> = {
  streaming: "",
  complete: "",
  incomplete: "‖ cut off: this is a part of an answer",
  stopped: "⊘ stopped",
  failed: "✗ failed",
};

/** A citation and the line of the transcript that it stands on. */
export interface CitationPlace {
  readonly citation: Citation;
  readonly line: number;
}

export interface TranscriptView {
  readonly lines: readonly StyledLine[];
  readonly citations: readonly CitationPlace[];
}

const indent = "  ";

/** Where a citation stands in its document, in a few words. */
export function citationWords(citation: Citation): string {
  const name = citation.filename ?? citation.documentNumber ?? citation.documentId;
  return citation.page === undefined ? name : `${name} p. ${citation.page}`;
}

/**
 * Draws a conversation. What of an answer is settled is wrapped once and kept; only the tail of the
 * growing one is wrapped again with each piece, so that a long answer costs no more than a short one.
 */
export class TranscriptLines {
  readonly #settled = new Map<number, Settled>();

  view(
    turns: readonly Turn[],
    width: number,
    colours: boolean,
    chosen: number | undefined,
  ): TranscriptView {
    const lines: StyledLine[] = [];
    const citations: CitationPlace[] = [];
    const room = Math.max(8, width - indent.length);
    this.#forgetOthers(turns);
    for (const turn of turns) {
      if (lines.length > 0) lines.push([]);
      lines.push([
        {
          text: turn.role === "you" ? "You" : "Assistant",
          as: turn.role === "you" ? "you" : "title",
        },
        ...(turn.role === "assistant" && turn.note !== undefined && turn.status === "complete"
          ? [{ text: `  ${clipText(turn.note, room - 12)}`, as: "quiet" } as const]
          : []),
      ]);
      lines.push(...this.#body(turn, room, colours));
      turn.citations.forEach((citation, index) => {
        const number = citations.length;
        citations.push({ citation, line: lines.length });
        const head = `[${index + 1}] ${citationWords(citation)}`;
        const quote = ` “${citation.quote.trim().replaceAll(/\s+/g, " ")}”`;
        lines.push([
          { text: indent },
          { text: clipText(head, room), as: number === chosen ? "selected" : "link" },
          { text: clipText(quote, Math.max(0, room - textWidth(head))), as: "quiet" },
        ]);
      });
      const status = statusWords[turn.status];
      if (status !== "") {
        const words = turn.status === "failed" ? `✗ ${turn.note ?? "failed"}` : status;
        for (const text of wrapText(words, room)) {
          lines.push([{ text: indent + text, as: turn.status === "failed" ? "bad" : "warn" }]);
        }
      }
    }
    return { lines, citations };
  }

  /** Turns that are not drawn any more: those of another conversation, the oldest of a long one. */
  #forgetOthers(turns: readonly Turn[]): void {
    if (this.#settled.size <= turns.length) return;
    const shown = new Set(turns.map((turn) => turn.id));
    for (const id of this.#settled.keys()) if (!shown.has(id)) this.#settled.delete(id);
  }

  #body(turn: Turn, width: number, colours: boolean): StyledLine[] {
    if (turn.role === "you") {
      return wrapText(turn.text, width).map((text) => [{ text: indent + text }]);
    }
    const end = turn.status === "streaming" ? settledLength(turn.text) : turn.text.length;
    const kept = this.#keep(turn, end, width, colours);
    if (end === turn.text.length) return kept;
    const tail = drawn(turn.text.slice(end), width, colours);
    return kept.length > 0 && tail.length > 0 ? [...kept, [], ...tail] : [...kept, ...tail];
  }

  #keep(turn: Turn, end: number, width: number, colours: boolean): StyledLine[] {
    let settled = this.#settled.get(turn.id);
    if (settled === undefined || settled.width !== width || settled.colours !== colours) {
      settled = { width, colours, length: 0, lines: [] };
      this.#settled.set(turn.id, settled);
    }
    if (end > settled.length) {
      const more = drawn(turn.text.slice(settled.length, end), width, colours);
      if (settled.lines.length > 0 && more.length > 0) settled.lines.push([]);
      settled.lines.push(...more);
      settled.length = end;
    }
    return settled.lines;
  }
}

function drawn(text: string, width: number, colours: boolean): StyledLine[] {
  return markdownLines(text, width, colours).map((line) => [{ text: indent + line }]);
}
