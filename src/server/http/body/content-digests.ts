import { Refusal, type Fault } from "#contract/problems.ts";
import { faultAt, invalid } from "../../kit/faults.ts";

/** Both fields mean the same here, because bodies have no content coding and no range. */
const fields = ["Content-Digest", "Repr-Digest"] as const;
const entryPattern = /^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}):$/;

interface GivenDigest {
  readonly field: string;
  readonly algorithm: "sha-256" | "sha-512";
  readonly digest: string;
}

/**
 * The digests of its body that a request gives (RFC 9530). Unknown algorithms are ignored; a wrong
 * digest is 422 with a pointer to its field.
 */
export class ContentDigests {
  readonly #given: readonly GivenDigest[];
  readonly #sha512: Bun.CryptoHasher | undefined;

  /** Refuses 400 for a field that is not a dictionary of digests. */
  constructor(headers: Headers) {
    this.#given = fields.flatMap((field) => entriesOf(field, headers.get(field)));
    this.#sha512 = this.#given.some(({ algorithm }) => algorithm === "sha-512")
      ? new Bun.CryptoHasher("sha512")
      : undefined;
  }

  async *watch(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
    for await (const chunk of content) {
      this.#sha512?.update(chunk);
      yield chunk;
    }
  }

  /** Call it after the whole body; `sha256` is the body's digest in hexadecimal. */
  verify(sha256: string): void {
    const sha512 = this.#sha512?.digest("base64");
    const actual = { "sha-256": Buffer.from(sha256, "hex").toString("base64"), "sha-512": sha512 };
    const faults: Fault[] = this.#given
      .filter(({ algorithm, digest }) => actual[algorithm] !== digest)
      .map(({ field }) => faultAt("header", [field], "is not the digest of the received bytes"));
    if (faults.length > 0) throw invalid(faults);
  }
}

/** Entries of a structured dictionary of byte sequences (RFC 8941) with a known algorithm. */
function entriesOf(field: string, value: string | null): GivenDigest[] {
  if (value === null) return [];
  return value.split(",").flatMap((entry) => {
    const [, algorithm, digest] = entryPattern.exec(entry.trim()) ?? [];
    if (algorithm === undefined || digest === undefined) {
      throw new Refusal("malformed-request", {
        detail: `Cannot read ${field}: expected sha-256=:…: with the digest in base64`,
        errors: [faultAt("header", [field], "is not a list of digests")],
      });
    }
    if (algorithm !== "sha-256" && algorithm !== "sha-512") return [];
    return [{ field, algorithm, digest }];
  });
}
