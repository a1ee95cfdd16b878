import { redact } from "./redact.ts";
import { plainLine } from "./terminal.ts";

/** Text from outside for one line, without control sequences and secrets, cut with `…`. */
export function shortText(
  text: string,
  maximumLength: number,
  secrets: readonly string[] = [],
): string {
  const line = plainLine(redact(text.slice(0, 64 * 1024), secrets)).trim();
  if (line.length <= maximumLength) return line;
  return `${line.slice(0, maximumLength - 1).toWellFormed()}…`;
}
