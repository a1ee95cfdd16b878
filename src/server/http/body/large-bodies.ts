import { PacedTurns } from "../../kit/turns/paced-turns.ts";
import type { Exchange } from "../exchange.ts";

/** Reading a JSON body of this size and checking it delays all others by some milliseconds. */
const largeBytes = 256 * 1024;

/**
 * Turns of large JSON bodies: one of each workspace is read and parsed at a time, and between two
 * of them the thread answers others.
 */
export class LargeBodies {
  readonly #turns = new PacedTurns();

  /**
   * Reads a body in its turn, a small one at once; `read` resolves to its bytes. Rejects with
   * `OverloadedError`.
   */
  read(exchange: Exchange, read: () => Promise<number>): Promise<unknown> {
    return isLarge(exchange.request.headers) ? this.#readInTurn(exchange, read) : read();
  }

  async #readInTurn(exchange: Exchange, read: () => Promise<number>): Promise<void> {
    const share = exchange.workspace?.id ?? exchange.network;
    const end = await this.#turns.take(share, exchange.request.signal, exchange.signedIn?.oid);
    let bytes = 0;
    try {
      bytes = await read();
      // Requests that have arrived meanwhile come before the next large body.
      await Bun.sleep(0);
    } finally {
      end(bytes);
    }
  }
}

function isLarge(headers: Headers): boolean {
  const length = headers.get("content-length");
  return length === null ? headers.has("transfer-encoding") : Number(length) > largeBytes;
}
