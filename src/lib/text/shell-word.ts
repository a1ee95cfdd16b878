// Tabs, controls and characters that reorder or hide text: a terminal acts on some of them when the
// word is pasted. Line ends stay: within quotes a shell takes them as they are.
const unsafe =
  /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/;

function octal(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

/**
 * A word quoted for a POSIX shell, if it needs quotes. Characters that a terminal acts on when they
 * are pasted become a `printf` of their bytes. A word can't have NUL: it is left out.
 */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const parts: string[] = [];
  let rest = word.toWellFormed().replaceAll("\0", "");
  for (let found = unsafe.exec(rest); found !== null; found = unsafe.exec(rest)) {
    if (found.index > 0) parts.push(quoted(rest.slice(0, found.index)));
    parts.push(`"$(printf '${octal(found[0])}')"`);
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest !== "" || parts.length === 0) parts.push(quoted(rest));
  return parts.join("");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
