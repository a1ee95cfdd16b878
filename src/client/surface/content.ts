/** Stored bytes that are checked while they are read. */
export interface StoredContent {
  /** From the platform: untrusted text, never a path. */
  readonly filename: string | undefined;
  readonly contentType: string;
  /** Bytes, if the platform sends the size. */
  readonly size: number | undefined;
  /** In hexadecimal, if the platform sends a digest. */
  readonly sha256: string | undefined;
  /** Whether a body that ends early can be detected: by its length, digest or framing. */
  readonly showsItsEnd: boolean;
  /** The response, whose body `chunks` reads. */
  readonly response: Response;
  /** The bytes, once; throws E203 at the end if length or digest do not match. */
  chunks(): AsyncIterable<Uint8Array>;
}
