/** Readings of text that hides other text: escapes of URLs, JSON and HTML, base64 and hex. */

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  colon: ":",
  commat: "@",
  equals: "=",
  gt: ">",
  lt: "<",
  quot: '"',
  sol: "/",
};

const shortEscapes: Readonly<Record<string, string>> = {
  b: " ",
  f: " ",
  n: "\n",
  r: "\n",
  t: "\t",
};

function character(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : " ";
}

function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"),
  );
}

function unescaped(text: string): string {
  return text
    .replace(/\\+(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_all, ...digits) =>
      character(Number.parseInt(String(digits[0] ?? digits[1] ?? digits[2]), 16)),
    )
    .replace(/\\+([bfnrt"'/])/g, (_all, letter: string) => shortEscapes[letter] ?? letter);
}

function entityDecoded(text: string): string {
  return text
    .replace(/&#x([0-9a-f]{1,6});?/gi, (_all, digits: string) =>
      character(Number.parseInt(digits, 16)),
    )
    .replace(/&#(\d{1,7});?/g, (_all, digits: string) => character(Number(digits)))
    .replace(/&([a-z]{2,8});/g, (all, name: string) => entities[name] ?? all);
}

const mostRounds = 5;

/** The text with every escape of URLs, JSON and HTML resolved, also where they are nested. */
export function withoutEscapes(text: string): string {
  let decoded = text;
  for (let round = 0; round < mostRounds; round += 1) {
    if (!/[%\\&]/.test(decoded)) break;
    const next = entityDecoded(unescaped(percentDecoded(decoded)));
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}

/** The readable texts that a run of base64 or hex letters may stand for. */
export function readingsOf(run: string): string[] {
  const letters = run.replace(/[\r\n]/g, "").replace(/=+$/, "");
  const readings: string[] = [];
  if (/^(?:[0-9a-f]{2})+$/i.test(letters)) readings.push(readable(Buffer.from(letters, "hex")));
  // The run may begin with letters of a word that the base64 is joined to.
  for (let skipped = 0; skipped < 4; skipped += 1) {
    readings.push(readable(Buffer.from(letters.slice(skipped), "base64")));
  }
  return readings.filter((reading) => reading !== "");
}

/** Empty for bytes that are mostly not text. */
function readable(bytes: Buffer): string {
  if (bytes.byteLength < 6) return "";
  let printable = 0;
  for (const byte of bytes) {
    if ((byte >= 0x20 && byte < 0x7f) || byte === 9 || byte === 10 || byte === 13) printable += 1;
  }
  return printable / bytes.byteLength >= 0.8 ? bytes.toString("utf8") : "";
}
