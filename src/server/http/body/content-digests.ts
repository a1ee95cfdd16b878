import { Refusal, type Fault } from "#contract/problems.ts";
import { faultAt, invalid } from "../faults.ts";

/** Fields that say what the body's digest is: without encodings and ranges both say the same. */
const fields = ["Content-Digest", "Repr-Digest"] as const;
const entryPattern = /^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}):$/;

interface Announced {
  readonly field: string;
  readonly algorithm: "sha-256" | "sha-512";
  readonly digest: string;
}

/**
 * What a request says of its body's digest (RFC 9530). Algorithms that are not known are passed
 * over; a digest that is not the body's is refused with a pointer to its field.
 */
export class AnnouncedDigests {
  readonly #announced: readonly Announced[];
  readonly #sha512: Bun.CryptoHasher | undefined;

  /** Refuses 400 for a field that can't be read. */
  constructor(headers: Headers) {
    this.#announced = fields.flatMap((field) => entriesOf(field, headers.get(field)));
    this.#sha512 = this.#announced.some(({ algorithm }) => algorithm === "sha-512")
      ? new Bun.CryptoHasher("sha512")
      : undefined;
  }

  /** The body as it is, looked at on its way. */
  async *watch(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
    for await (const piece of content) {
      this.#sha512?.update(piece);
      yield piece;
    }
  }

  /** After all of the body was watched; `sha256` is what it came to, in hexadecimal. */
  verify(sha256: string): void {
    const sha512 = this.#sha512?.digest("base64");
    const actual = { "sha-256": Buffer.from(sha256, "hex").toString("base64"), "sha-512": sha512 };
    const faults: Fault[] = this.#announced
      .filter(({ algorithm, digest }) => actual[algorithm] !== digest)
      .map(({ field }) => faultAt("header", [field], "is not the digest of the bytes that came"));
    if (faults.length > 0) throw invalid(faults);
  }
}

/** The entries of a structured dictionary of byte sequences (RFC 8941) that we can compute. */
function entriesOf(field: string, value: string | null): Announced[] {
  if (value === null) return [];
  return value.split(",").flatMap((entry) => {
    const [, algorithm, digest] = entryPattern.exec(entry.trim()) ?? [];
    if (algorithm === undefined || digest === undefined) {
      throw new Refusal("malformed-request", {
        detail: `Cannot read ${field}: wanted sha-256=:…: with the digest in base64`,
        errors: [faultAt("header", [field], "is not a list of digests")],
      });
    }
    if (algorithm !== "sha-256" && algorithm !== "sha-512") return [];
    return [{ field, algorithm, digest }];
  });
}
