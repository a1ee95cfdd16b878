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

/** The body had not ended when its reader's time was over. */
export class BodyLateError extends Error {
  override readonly name = "BodyLateError";
  constructor(limitMs: number) {
    super(`The body did not end within ${limitMs} ms`);
  }
}

/** How a body is read beside its bound. */
interface ReadOptions {
  /** The first bytes are returned where there are more, or where they come too late. */
  readonly truncate?: boolean;
  /** How long reading may take; without it as long as the connection lives. */
  readonly limitMs?: number;
}

/**
 * Reads a body of at most `maximumBytes`, counted after decompression, so that a small bomb is cut
 * off as soon as it grows past the bound. With `truncate` the first bytes are returned instead of
 * an error. What is left of the body is cancelled.
 */
export async function readBoundedBytes(
  body: ReadableBody,
  maximumBytes: number,
  options: ReadOptions = {},
): Promise<Uint8Array> {
  const declared = body.headers.get("content-length");
  const encoded = body.headers.get("content-encoding") !== null;
  if (body.body === null) return new Uint8Array();
  const { limitMs } = options;
  const isKnown = declared !== null && !encoded && Number(declared) <= maximumBytes;
  if (isKnown && limitMs === undefined) {
    return new Uint8Array(await body.arrayBuffer());
  }
  const reader = body.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isLate = false;
  const giveUp = (): void => {
    isLate = true;
    void reader.cancel().catch(() => undefined);
  };
  const timer = limitMs === undefined ? undefined : setTimeout(giveUp, limitMs);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (isLate && options.truncate !== true) throw new BodyLateError(limitMs ?? 0);
      if (done) break;
      chunks.push(value);
      size += value.byteLength;
      if (size <= maximumBytes) continue;
      if (options.truncate !== true) throw new BodyTooLargeError(maximumBytes);
      break;
    }
  } finally {
    clearTimeout(timer);
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
  options: ReadOptions = {},
): Promise<string> {
  return new TextDecoder().decode(await readBoundedBytes(body, maximumBytes, options));
}
