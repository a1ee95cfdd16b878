/** Content that is checked while it is read. */
export interface StoredContent {
  /** As the platform says it: text from outside, and no path. */
  readonly filename: string | undefined;
  readonly contentType: string;
  /** Bytes in all, where the platform says. */
  readonly size: number | undefined;
  /** In hexadecimal, where the platform says. */
  readonly sha256: string | undefined;
  /** The answer itself; its body is what `chunks` reads. */
  readonly response: Response;
  /** The bytes, once; throws E203 at their end when length or digest is another one. */
  chunks(): AsyncIterable<Uint8Array>;
}
