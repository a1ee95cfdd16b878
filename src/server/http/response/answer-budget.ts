import { OverloadedError } from "../../kit/storage-errors.ts";
import { RecentMap } from "../../kit/recent-map.ts";

/** Bytes of a row that is not known yet. */
const usualBytes = 1024;
const keptSizes = 10_000;

/** Bytes that one answer holds while it is built. */
export interface AnswerHold {
  /** Sets the number; refuses with `OverloadedError` where all answers together hold too many. */
  need(bytes: number): void;
}

/**
 * The bytes of all answers under way: those that are being built, and those whose client has not
 * taken them yet. One answer alone may always be built, however large it is.
 */
export class AnswerBudget {
  #bytes = 0;
  /** The largest row that a list has had lately, so that its bytes count before it is read. */
  readonly #sizes = new RecentMap<string, number>(keptSizes);

  constructor(readonly limitBytes: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts what `work` needs until it ends. */
  async during<T>(work: (hold: AnswerHold) => Promise<T>): Promise<T> {
    let held = 0;
    const need = (bytes: number): void => {
      const more = bytes - held;
      if (more > 0 && this.#bytes > held && this.#bytes + more > this.limitBytes) {
        throw new OverloadedError(`Cannot build an answer: others have ${this.#bytes} bytes`);
      }
      this.#bytes += more;
      held = bytes;
    };
    try {
      return await work({ need });
    } finally {
      this.#bytes -= held;
    }
  }

  /** Counts an answer that is finished, without refusing; returns what ends it, once. */
  add(bytes: number): () => void {
    this.#bytes += bytes;
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      this.#bytes -= bytes;
    };
  }

  largestOf(list: string): number {
    return this.#sizes.get(list) ?? usualBytes;
  }

  noteSize(list: string, bytes: number): void {
    if (bytes > this.largestOf(list)) this.#sizes.set(list, bytes);
  }
}

/** A shorter text is sent at once, and is not counted. */
const countedBytes = 64 * 1024;
const bytesAtOnce = 64 * 1024;

/** A body whose bytes count until the client has taken them. */
export function countedBody(text: string, budget: AnswerBudget): string | ReadableStream {
  if (text.length < countedBytes) return text;
  const bytes = new TextEncoder().encode(text);
  const end = budget.add(bytes.length);
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at < bytes.length) {
          controller.enqueue(bytes.subarray(at, (at += bytesAtOnce)));
          return;
        }
        end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
