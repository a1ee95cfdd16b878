/** What a response, a request and a copy of either have in common. */
export interface ReadableBody {
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array> | null;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The body was larger than what its reader allows. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
  readonly maximumBytes: number;
  constructor(maximumBytes: number) {
    super(`The body is larger than ${maximumBytes} bytes`);
    this.maximumBytes = maximumBytes;
  }
}

/**
 * Reads a body of at most `maximumBytes`, counted after decompression, so that a small bomb is cut
 * off as soon as it grows past the bound. With `truncate` the first bytes are returned instead of
 * an error. What is left of the body is cancelled.
 */
export async function readBoundedBytes(
  body: ReadableBody,
  maximumBytes: number,
  options: { readonly truncate?: boolean } = {},
): Promise<Uint8Array> {
  const declared = body.headers.get("content-length");
  const encoded = body.headers.get("content-encoding") !== null;
  if (body.body === null) return new Uint8Array();
  if (declared !== null && !encoded && Number(declared) <= maximumBytes) {
    return new Uint8Array(await body.arrayBuffer());
  }
  const reader = body.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      size += value.byteLength;
      if (size <= maximumBytes) continue;
      if (options.truncate !== true) throw new BodyTooLargeError(maximumBytes);
      break;
    }
  } finally {
    // A body that has ended or failed has nothing left to cancel.
    await reader.cancel().catch(() => undefined);
  }
  return joined(chunks, size).subarray(0, maximumBytes);
}

/** By hand: the client is a library for browsers too, which have no `Buffer`. */
function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

/** As `readBoundedBytes`, decoded as UTF-8; ill-formed sequences become U+FFFD. */
export async function readBoundedText(
  body: ReadableBody,
  maximumBytes: number,
  options: { readonly truncate?: boolean } = {},
): Promise<string> {
  return new TextDecoder().decode(await readBoundedBytes(body, maximumBytes, options));
}
