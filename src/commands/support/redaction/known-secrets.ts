import { redactedMark } from "#lib/redact.ts";

/** A shorter value would match parts of ordinary words. */
const shortestSecret = 6;
const mostForms = 400;

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

function formsOf(value: string): string[] {
  const cores = base64Cores(value);
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    encodeURI(value.toWellFormed()),
    percentEncoded(value),
    Buffer.from(value).toString("hex"),
    ...cores,
    ...cores.map(asUrlBase64),
    Array.from(value).toReversed().join(""),
  ];
}

/** Replaces values that are known to be secret, in any usual encoding and case. */
export class KnownSecrets {
  readonly #forms: readonly RegExp[];

  constructor(secrets: readonly string[]) {
    const values = new Set(secrets.map((secret) => secret.trim()));
    const long = [...values].filter((value) => value.length >= shortestSecret);
    const forms = new Set(long.flatMap(formsOf));
    this.#forms = [...forms]
      .filter((form) => form.length >= shortestSecret)
      .toSorted((left, right) => right.length - left.length)
      .slice(0, mostForms)
      .map((form) => new RegExp(RegExp.escape(form), "gi"));
  }

  redact(text: string): string {
    let clean = text;
    for (const form of this.#forms) clean = clean.replace(form, redactedMark);
    return clean;
  }
}
