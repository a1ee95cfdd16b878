import { redactedMark } from "#lib/text/redact.ts";
import { plainText } from "#lib/text/terminal.ts";
import { redactByRules } from "./report-rules.ts";

/** A shorter value would match parts of ordinary words. */
const shortestSecret = 6;
const mostForms = 400;

/** Replaces values that are known to be secret, in any usual encoding and case. */
class KnownSecrets {
  /** The values, of which the shortest is first. */
  readonly #values: readonly string[];
  #forms: readonly RegExp[] = [];
  /** How many values have their forms in the list. */
  #formed = 0;

  constructor(secrets: readonly string[]) {
    this.#values = [...new Set(secrets.map((secret) => secret.trim()))]
      .filter((value) => value.length >= shortestSecret)
      .toSorted((left, right) => left.length - right.length);
  }

  redact(text: string): string {
    let clean = text;
    for (const form of this.#formsFor(text.length)) clean = clean.replace(form, redactedMark);
    return clean;
  }

  /**
   * The forms of the values that a text of this length can have. No form is shorter than its value,
   * and most errors are shorter than a token, whose forms take a millisecond.
   */
  #formsFor(length: number): readonly RegExp[] {
    const first = this.#values.findIndex((value) => value.length > length);
    const count = first < 0 ? this.#values.length : first;
    if (count > this.#formed) {
      this.#formed = count;
      this.#forms = regularExpressionsOf(this.#values.slice(0, count));
    }
    return this.#forms;
  }
}

function regularExpressionsOf(values: readonly string[]): RegExp[] {
  return [...new Set(values.flatMap(formsOf))]
    .filter((form) => form.length >= shortestSecret)
    .toSorted((left, right) => right.length - left.length)
    .slice(0, mostForms)
    .map((form) => new RegExp(RegExp.escape(form), "gi"));
}

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

/** Escapes within escapes that are resolved. */
const mostNesting = 5;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
// Base64 that a mail program or PEM has broken into lines is one run.
const run =
  /[A-Za-z0-9+/_-]{40,}(?:\r?\n[A-Za-z0-9+/_-]+={0,2}(?=\s|$))*={0,2}|[A-Za-z0-9+/_-]{8,}={0,2}/g;
const longestName = 20;
const mostDepth = 4;
const mostRounds = 6;

/** Returns whether letters and digits are mixed as in a random key, not as in a name or path. */
function looksRandom(letters: string): boolean {
  return letters.split(/[/_-]/).some((part) => {
    if (part.length < longestName) return false;
    const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(part)).length;
    return kinds === 3 || (/\d/.test(part) && part.length >= 24) || part.length >= 60;
  });
}

function redactRun(letters: string, depth: number): string {
  if (uuid.test(letters)) return letters;
  if (looksRandom(letters)) return redactedMark;
  if (depth === 0) return letters;
  const isSecret = readingsOf(letters).some((reading) => clean(reading, depth - 1) !== reading);
  return isSecret ? redactedMark : letters;
}

function clean(text: string, depth: number): string {
  return redactByRules(text)
    .replace(hexPairs, (pairs) => redactPairs(pairs, depth))
    .replace(run, (letters) => redactRun(letters, depth));
}

/** Bytes as a fingerprint, a dump or a key shows them: pairs with colons or blanks. */
const hexPairs = /(?<![\da-f:])[\da-f]{2}(?:([: -])[\da-f]{2})(?:\1[\da-f]{2}){4,}(?![\da-f])/gi;
/** The bytes of a key have no readable text. */
const keyPairs = 12;

function redactPairs(pairs: string, depth: number): string {
  const letters = pairs.replaceAll(/[^\da-f]/gi, "");
  if (letters.length >= 2 * keyPairs) return redactedMark;
  if (depth === 0) return pairs;
  const reading = readable(Buffer.from(letters, "hex"));
  return clean(reading, depth - 1) === reading ? pairs : redactedMark;
}

/**
 * Redacts text that leaves this machine: no known secret, credential, key or e-mail address stays,
 * however it is encoded. It removes more than `redact` does: a report may lose a harmless word.
 */
export class ReportRedactor {
  readonly #known: KnownSecrets;
  readonly #homeDirectory: string;

  constructor(options: { readonly secrets: readonly string[]; readonly homeDirectory: string }) {
    this.#known = new KnownSecrets(options.secrets);
    this.#homeDirectory = options.homeDirectory;
  }

  redact(text: string): string {
    let result = plainText(text).replaceAll("\ufffd", "");
    if (this.#homeDirectory.length > 1) result = result.replaceAll(this.#homeDirectory, "~");
    for (let round = 0; round < mostRounds; round += 1) {
      result = this.#once(result);
      const decoded = plainText(withoutEscapes(result));
      if (decoded === result) return result;
      const safe = this.#once(decoded);
      // The escapes hide nothing: the text stays as the user wrote it.
      if (safe === decoded) return result;
      result = safe;
    }
    return redactedMark;
  }

  #once(text: string): string {
    return clean(this.#known.redact(text), mostDepth);
  }
}

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

/** The text with every escape of URLs, JSON and HTML resolved, also where they are nested. */
function withoutEscapes(text: string): string {
  let decoded = text;
  for (let round = 0; round < mostNesting; round += 1) {
    if (!/[%\\&]/.test(decoded)) break;
    const next = entityDecoded(unescaped(percentDecoded(decoded)));
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}

/** The readable texts that a run of base64 or hex letters may stand for. */
function readingsOf(run: string): string[] {
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

/** The base64 letters that only this value's bytes decide, at each of three alignments. */
function base64Cores(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.byteLength) * 8) / 6);
    return whole.slice(first, last);
  });
}

function asUrlBase64(text: string): string {
  return text.replaceAll("+", "-").replaceAll("/", "_");
}

function percentEncoded(value: string): string {
  return Array.from(Buffer.from(value), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join(
    "",
  );
}

function hexPairsOf(value: string, between: string): string {
  return Array.from(Buffer.from(value), (byte) => byte.toString(16).padStart(2, "0")).join(between);
}

function formsOf(value: string): string[] {
  const cores = base64Cores(value);
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    encodeURI(value.toWellFormed()),
    percentEncoded(value),
    Buffer.from(value).toString("hex"),
    ...[":", " ", "-"].map((between) => hexPairsOf(value, between)),
    ...cores,
    ...cores.map(asUrlBase64),
    Array.from(value).toReversed().join(""),
  ];
}
