import type { AnswerBudget } from "../../kit/answer-budget.ts";
import { TickShare } from "../../kit/turns/tick-share.ts";

/** A shorter text is sent at once, and is not counted. */
const countedLength = 64 * 1024;
const lengthAtOnce = 64 * 1024;
/** A fast client takes more without a wait, which would keep the tick from all other requests. */
const lengthPerTick = 512 * 1024;

/**
 * A body whose bytes count until the client has taken them. A long one is encoded while it is
 * taken, so that its bytes are not all in memory, in parts of ticks that shares have in turn.
 */
export function countedBody(
  parts: readonly string[],
  budget: AnswerBudget,
  share: string,
): string | ReadableStream<Uint8Array> {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && only.length < countedLength) return only;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length < countedLength) return parts.join("");
  const bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  const end = budget.add(share, bytes);
  const encoder = new TextEncoder();
  const slices = slicesOf(parts);
  const turn = new TickShare(share);
  let inTick = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (inTick >= lengthPerTick) {
          await turn.begin();
          inTick = 0;
        }
        const { value, done } = slices.next();
        if (done !== true) {
          inTick += value.length;
          return controller.enqueue(encoder.encode(value));
        }
        end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

function* slicesOf(parts: readonly string[]): Generator<string, void, undefined> {
  for (const part of parts) {
    for (let at = 0; at < part.length;) {
      let next = at + lengthAtOnce;
      // Both halves of a character go into one slice.
      if (isFirstHalf(part.charCodeAt(next - 1))) next += 1;
      yield part.slice(at, next);
      at = next;
    }
  }
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
