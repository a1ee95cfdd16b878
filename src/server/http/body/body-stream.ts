import { Refusal } from "#contract/problems.ts";
import { refuseEncoded } from "./read-body.ts";

/**
 * Requests from the network. Nothing else uses the chunks of their bodies, so a reader frees them.
 */
export const networkRequests = new WeakSet<Request>();

/**
 * Frees the memory of a network chunk at once. The garbage collector would wait for tens of
 * megabytes: a 1 GiB upload has 16,384 chunks.
 */
export function freeChunk(chunk: Uint8Array): void {
  const { buffer } = chunk;
  const isWhole = chunk.byteOffset === 0 && chunk.byteLength === buffer.byteLength;
  if (isWhole && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/**
 * A request's body in chunks; each is valid until the next one is asked for. Refuses a
 * `Content-Length` above `limitBytes`, and at the end a body of another length. To leave the loop
 * early keeps the rest, which the pipeline discards.
 */
export async function* bodyStream(
  request: Request,
  limitBytes: number,
): AsyncGenerator<Uint8Array, void, void> {
  refuseEncoded(request);
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > limitBytes) {
    throw new Refusal("content-too-large", {
      detail: `A file may have at most ${limitBytes} bytes`,
      members: { limitBytes },
    });
  }
  const isFromNetwork = networkRequests.has(request);
  const reader = request.body?.getReader();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done || value === undefined) break;
      size += value.byteLength;
      yield value;
      if (isFromNetwork) freeChunk(value);
    }
  } finally {
    reader?.releaseLock();
  }
  if (length === null || size === Number(length)) return;
  throw new Refusal("malformed-body", {
    detail: `Cannot read this body: only ${size} of ${length} bytes arrived`,
  });
}
