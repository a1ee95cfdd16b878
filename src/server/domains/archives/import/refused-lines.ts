import type * as z from "zod";
import { isJsonObject } from "#lib/json/value.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import type { Line } from "./copy-rows.ts";

/** A line that the import does not store, because the workspace could not have it. */
export interface RefusedLine {
  readonly part: string;
  /** The id, key or name in the line. */
  readonly id: string;
  readonly reason: string;
}

const listedAtMost = 1_000;
const longestName = 200;
const longestReason = 500;
const names = ["id", "key", "slug", "name", "workflow_key", "resource_id", "document_id"];
/** NUL and half of a surrogate pair as `JSON.stringify` writes them: PostgreSQL has neither. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** The refused lines of an import: all are counted, and the first 1,000 are listed. */
export class RefusedLines {
  readonly listed: RefusedLine[] = [];
  readonly #counts = new Map<string, number>();

  /** Lists the lines that a run before an interruption has refused; each part counts again. */
  continueAfter(lines: readonly RefusedLine[]): void {
    this.listed.push(...lines);
  }

  add(part: string, id: string, reason: string): void {
    this.#counts.set(part, this.in(part) + 1);
    if (this.listed.length === listedAtMost) return;
    this.listed.push({
      part,
      id: id.slice(0, longestName),
      reason: reason.slice(0, longestReason),
    });
  }

  in(part: string): number {
    return this.#counts.get(part) ?? 0;
  }

  /** The lines of a form, as they are; the others are refused. */
  matching(part: string, shape: z.ZodType, lines: readonly Line[]): Line[] {
    return lines.filter((line) => this.parsed(part, shape, [line]).length === 1);
  }

  /** The values of lines; those of another form are refused. */
  parsed<Schema extends z.ZodType>(
    part: string,
    schema: Schema,
    lines: readonly unknown[],
  ): z.output<Schema>[] {
    return lines.flatMap((line): z.output<Schema>[] => {
      const reading = schema.safeParse(line);
      if (reading.success) return [reading.data];
      const reasons = reading.error.issues.map(
        ({ path, message }) => `${pointer(...path.map(String))} ${message}`,
      );
      this.add(part, nameOf(line), reasons.slice(0, 5).join("; "));
      return [];
    });
  }

  /** The lines whose texts both databases can store. */
  storable(part: string, lines: readonly Line[]): Line[] {
    return lines.filter((line) => {
      if (!unstorable.test(JSON.stringify(line))) return true;
      this.add(part, nameOf(line), "has a character that no text can have");
      return false;
    });
  }

  /** Runs the store of one line; a refusal that it throws is that of the line. */
  async attempt(part: string, line: unknown, store: () => Promise<boolean>): Promise<boolean> {
    try {
      return await store();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { errors = [] } = error.options;
      const [first] = errors;
      const reason = first === undefined ? error.message : `${first.pointer} ${first.detail}`;
      this.add(part, nameOf(line), reason);
      return false;
    }
  }
}

/** The id, key or name of a line; empty without one. */
export function nameOf(line: unknown): string {
  if (!isJsonObject(line)) return "";
  const found = names.map((name) => line[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found : "";
}
