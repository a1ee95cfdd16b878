import { Refusal } from "#contract/problems.ts";
import { freePiece, receivedRequests } from "./received-requests.ts";
import { refuseEncoded } from "./read-body.ts";

/**
 * A request's body in the pieces in which it comes, each good until the next one is asked for.
 * Refuses before the first one what says that it is larger than `limitBytes`, and at its end a body
 * that is shorter than it said.
 */
export async function* bodyPieces(
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
  const isOurs = receivedRequests.has(request);
  const reader = request.body?.getReader();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done || value === undefined) break;
      size += value.byteLength;
      yield value;
      if (isOurs) freePiece(value);
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
  if (length === null || size === Number(length)) return;
  throw new Refusal("malformed-body", {
    detail: `Cannot take this body: ${size} of ${length} bytes came`,
  });
}
