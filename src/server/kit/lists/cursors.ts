import { timingSafeEqual } from "node:crypto";
import { pointer, Refusal } from "#contract/problems.ts";

/** A part of the position of a page's last item. */
export type CursorValue = string | number | null;

/** The start of a page: the position of the item before it, or the number of items before it. */
export interface PageCursor {
  readonly page: number;
  readonly after: readonly CursorValue[] | number;
}

/**
 * Opaque signed cursors. `list` identifies the list (workspace, filter, order): a changed cursor
 * and a cursor of another list are 422.
 */
export class ListCursors {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  write(list: unknown, { page, after }: PageCursor): string {
    const text = Buffer.from(JSON.stringify([page, after])).toString("base64url");
    return `${text}.${this.#signature(list, text)}`;
  }

  /** `place` is the part of the request with the cursor, for the pointer. */
  read(list: unknown, cursor: string, place: readonly string[]): PageCursor {
    const [text = "", signature = ""] = cursor.split(".");
    if (!isEqual(signature, this.#signature(list, text))) {
      throw cursorRefusal(place, "is not a cursor of this list");
    }
    // The signature proves that `write` made it.
    const [page, after] = JSON.parse(Buffer.from(text, "base64url").toString()) as [
      PageCursor["page"],
      PageCursor["after"],
    ];
    return { page, after };
  }

  #signature(list: unknown, text: string): string {
    return new Bun.CryptoHasher("sha256", this.#key)
      .update(`${text}\n${JSON.stringify(list)}`)
      .digest("base64url")
      .slice(0, 22);
  }
}

export function cursorRefusal(place: readonly string[], detail: string): Refusal {
  return new Refusal("validation-failed", {
    detail: `cursor ${detail}`,
    errors: [{ pointer: pointer(...place, "cursor"), detail }],
  });
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
