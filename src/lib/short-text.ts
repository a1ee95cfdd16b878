import { redact } from "./redact.ts";
import { plainLine } from "./terminal-text.ts";

/**
 * Foreign text for one line of an error: without control sequences and secrets, at most
 * `maximumLength` UTF-16 units, the last one `…` where something was left out.
 */
export function shortText(
  text: string,
  maximumLength: number,
  secrets: readonly string[] = [],
): string {
  const line = plainLine(redact(text.slice(0, 64 * 1024), secrets)).trim();
  if (line.length <= maximumLength) return line;
  return `${line.slice(0, maximumLength - 1).toWellFormed()}…`;
}
