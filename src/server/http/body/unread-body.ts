import { within } from "#lib/time/within.ts";
import { freeChunk, networkRequests } from "./body-stream.ts";

/** Bounds of the bytes that are discarded after a refusal. */
const restLimit = { bytes: 8 * 1024 * 1024, milliseconds: 2_000 };

/**
 * Reads and discards the rest of a body whose request is answered, at most 8 MiB or 2 s. Many
 * clients send the whole body before they read; a connection closed before that loses them the
 * response. Returns whether the body has ended.
 */
export async function discardRest(request: Request): Promise<boolean> {
  const { body } = request;
  // Another reader has the body, or has read it.
  if (body === null || body.locked) return true;
  const reader = body.getReader();
  const isFromNetwork = networkRequests.has(request);
  const endsAt = performance.now() + restLimit.milliseconds;
  let size = 0;
  try {
    while (size <= restLimit.bytes) {
      const next = await within(endsAt - performance.now(), reader.read(), undefined);
      if (next === undefined) break;
      if (next.done || next.value === undefined) return true;
      size += next.value.byteLength;
      if (isFromNetwork) freeChunk(next.value);
    }
  } catch {
    return true;
  }
  await reader.cancel().catch(() => {});
  return false;
}

/** Ends a body that nothing else reads, from a caller in this process. */
export async function cancelRest({ body }: Request): Promise<void> {
  if (body === null || body.locked) return;
  await body.cancel().catch(() => {});
}
