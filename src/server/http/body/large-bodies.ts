import { Permits } from "../../kit/turns/permits.ts";
import type { Exchange } from "../exchange.ts";

/** Reading a JSON body of this size and checking it delays all others by some milliseconds. */
const largeBytes = 256 * 1024;

/**
 * Turns of large JSON bodies: one of each workspace is read and parsed at a time, and between two
 * of them the thread answers others.
 */
export class LargeBodies {
  readonly #permits = new Permits({
    count: 4,
    countPerShare: 1,
    queueLimit: 2_000,
    queueLimitPerShare: 500,
    waitLimitMs: 10_000,
  });

  /** Reads a body in its turn; a small one at once. Rejects with `OverloadedError`. */
  read(exchange: Exchange, read: () => Promise<void>): Promise<void> {
    if (!isLarge(exchange.request.headers)) return read();
    const share = exchange.workspace?.id ?? exchange.address;
    const turn = async (): Promise<void> => {
      await read();
      // Requests that have arrived meanwhile come before the next large body.
      await Bun.sleep(0);
    };
    return this.#permits.hold(turn, share, exchange.request.signal, exchange.signedIn?.oid);
  }
}

function isLarge(headers: Headers): boolean {
  const length = headers.get("content-length");
  return length === null ? headers.has("transfer-encoding") : Number(length) > largeBytes;
}
