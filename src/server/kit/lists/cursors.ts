import { timingSafeEqual } from "node:crypto";
import { pointer, Refusal } from "#contract/problems.ts";
import { RecentMap } from "../recent-map.ts";

const keptCharacters = 256 * 1024;

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
  /** The last cursors: callers repeat the same lists. */
  readonly #written = new RecentMap<string, string>(keptCharacters, {
    weightOf: (cursor, place) => cursor.length + place.length,
  });

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** The cursor, which is kept for the next time. */
  write(list: unknown, cursor: PageCursor): string {
    const place = `${positionText(cursor)}\n${JSON.stringify(list)}`;
    const written = this.#written.get(place);
    if (written !== undefined) return written;
    const text = this.sign(list, cursor);
    this.#written.set(place, text);
    return text;
  }

  /** A cursor that is not kept, such as that of one event. */
  sign(list: unknown, cursor: PageCursor): string {
    const text = Buffer.from(positionText(cursor)).toString("base64url");
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

function positionText({ page, after }: PageCursor): string {
  return JSON.stringify([page, after]);
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
