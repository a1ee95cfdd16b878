/** An assignment in an `.env.local`: its value as written, and its place in the text. */
export interface EnvEntry {
  readonly name: string;
  readonly raw: string;
  readonly start: number;
  /** The place after the last character of its last line. */
  readonly end: number;
}

/** The text with one kind of line end. */
export function envText(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/**
 * The assignments of a text of {@link envText}, with `export`, comments and quotes. A quoted value
 * may have several lines, as in dotenv: its last quote ends a line, except for a comment.
 */
export function envEntries(text: string): EnvEntry[] {
  const entries: EnvEntry[] = [];
  const unclosed = new Set<string>();
  for (let start = 0; start < text.length;) {
    const lineEnd = endOfLine(text, start);
    const assignment = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*/.exec(
      text.slice(start, lineEnd),
    );
    const [before = "", name] = assignment ?? [];
    let end = lineEnd;
    if (name !== undefined) {
      const valueAt = start + before.length;
      end = endOfQuoted(text, valueAt, unclosed) ?? lineEnd;
      entries.push({ name, raw: text.slice(valueAt, end).trim(), start, end });
    }
    start = end + 1;
  }
  return entries;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** The end of the last line of a quoted value; undefined for a value that no quote ends. */
function endOfQuoted(text: string, at: number, unclosed: Set<string>): number | undefined {
  const quote = text[at] ?? "";
  if (!/^["'`]$/.test(quote) || unclosed.has(quote)) return undefined;
  let close = at + 1;
  while (close < text.length && text[close] !== quote) {
    close += quote === '"' && text[close] === "\\" ? 2 : 1;
  }
  if (close >= text.length) {
    // No later value can have an end either, so the text is not looked through again.
    unclosed.add(quote);
    return undefined;
  }
  const end = endOfLine(text, close);
  return /^\s*(?:#.*)?$/.test(text.slice(close + 1, end)) ? end : undefined;
}
