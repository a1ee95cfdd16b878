import { catalogError } from "#contract/errors.ts";
import { streamOf } from "#lib/network/stream.ts";
import { startDigest } from "./digest.ts";
import type { ByteSource, UnsizedSource } from "../options.ts";

/** The bytes that were sent; without a digest where the runtime computes none by parts. */
export interface SentBytes {
  readonly size: number;
  readonly sha256: string | undefined;
}

/** A source that counts and digests the bytes that are read from it. */
export interface Measured<Source> {
  readonly content: Source;
  /** Returns the facts of the sent bytes; call it once, after the response. */
  sent(): SentBytes;
}

export function measured(source: ByteSource): Measured<ByteSource>;
export function measured(source: ByteSource | UnsizedSource): Measured<ByteSource | UnsizedSource>;
export function measured(source: ByteSource | UnsizedSource): Measured<ByteSource | UnsizedSource> {
  const digest = startDigest();
  // A browser sends a Blob without reading it into the page.
  if (digest === undefined && source instanceof Blob) {
    return { content: source, sent: () => ({ size: source.size, sha256: undefined }) };
  }
  let size = 0;
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of source.stream()) {
      size += chunk.byteLength;
      digest?.update(chunk);
      yield chunk;
    }
  }
  const stream = () => streamOf(chunks());
  return {
    content: "size" in source ? { size: source.size, stream } : { stream },
    sent: () => ({ size, sha256: digest?.hex() }),
  };
}

/** Throws E203 if a platform states other bytes than were sent. A platform may state nothing. */
export function requireSame(
  stored: { readonly size?: number | undefined; readonly sha256?: string | undefined },
  sent: SentBytes,
): void {
  const { size = sent.size, sha256 = sent.sha256 } = stored;
  const isOtherSize = size !== sent.size;
  const isSameDigest = sent.sha256 === undefined || sha256?.toLowerCase() === sent.sha256;
  if (!isOtherSize && isSameDigest) return;
  const sizes = isOtherSize ? `: ${size} bytes, not ${sent.size}` : "";
  throw catalogError(
    "E203",
    { details: `the platform stored other bytes than the client sent${sizes}` },
    { hint: "Send the file again: the stored one is damaged" },
  );
}
