/** The part of a Request or Response that reading needs. */
export interface ReadableBody {
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array> | null;
  arrayBuffer(): Promise<ArrayBuffer>;
}

export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
  readonly maximumBytes: number;
  constructor(maximumBytes: number) {
    super(`The body is larger than ${maximumBytes} bytes`);
    this.maximumBytes = maximumBytes;
  }
}

/** The body did not end within its reader's time limit. */
export class BodyLateError extends Error {
  override readonly name = "BodyLateError";
  constructor(limitMs: number) {
    super(`The body did not end within ${limitMs} ms`);
  }
}

interface ReadOptions {
  /** Returns the first bytes of a body that is too large or too slow, instead of an error. */
  readonly truncate?: boolean;
  /** Time limit of the whole read; without it the connection's lifetime. */
  readonly limitMs?: number;
}

/** Reads a body of at most `maximumBytes` after decompression, and cancels the rest. */
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
    // Cancelling a body that has ended or failed does nothing. It is not awaited: the half of a
    // cloned body is cancelled only with its other half.
    void reader.cancel().catch(() => undefined);
  }
  return joined(chunks, size).subarray(0, maximumBytes);
}

/** Joins chunks without `Buffer`, which browsers do not have. */
function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

/** Reads a body as UTF-8 within the same limits; invalid sequences become U+FFFD. */
export async function readBoundedText(
  body: ReadableBody,
  maximumBytes: number,
  options: ReadOptions = {},
): Promise<string> {
  return new TextDecoder().decode(await readBoundedBytes(body, maximumBytes, options));
}
