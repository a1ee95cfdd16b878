import { pointer, Refusal } from "#contract/problems.ts";
import { timingSafeEqual } from "node:crypto";

/** A part of the position of a page's last item. */
export type CursorValue = string | number;

/**
 * Opaque signed cursors. `list` identifies the list (workspace, filter, order): a changed cursor and
 * a cursor of another list are 422.
 */
export class ListCursors {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  write(list: unknown, position: readonly CursorValue[]): string {
    const text = Buffer.from(JSON.stringify(position)).toString("base64url");
    return `${text}.${this.#signature(list, text)}`;
  }

  /** `place` is the part of the request with the cursor, for the pointer. */
  read(list: unknown, cursor: string, place: readonly string[] = ["query"]): CursorValue[] {
    const [text = "", signature = ""] = cursor.split(".");
    if (isEqual(signature, this.#signature(list, text))) {
      // The signature proves that `write` made it.
      return JSON.parse(Buffer.from(text, "base64url").toString()) as CursorValue[];
    }
    const detail = "is not a cursor of this list";
    throw new Refusal("validation-failed", {
      detail: `cursor ${detail}`,
      errors: [{ pointer: pointer(...place, "cursor"), detail }],
    });
  }

  #signature(list: unknown, text: string): string {
    return new Bun.CryptoHasher("sha256", this.#key)
      .update(`${text}\n${JSON.stringify(list)}`)
      .digest("base64url")
      .slice(0, 22);
  }
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
