import { pointer, Refusal } from "#contract/problems.ts";
import { timingSafeEqual } from "node:crypto";

/** A value of the last item of a page, by which the next page begins. */
export type CursorValue = string | number;

/**
 * Opaque, signed cursors, each good for the list it came from: `list` is whatever tells lists apart
 * (workspace, filter, order). A cursor that was changed or belongs elsewhere is 422.
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

  /** `place` is where the request names the cursor, for the pointer. */
  read(list: unknown, cursor: string, place: readonly string[] = ["query"]): CursorValue[] {
    const [text = "", signature = ""] = cursor.split(".");
    if (isEqual(signature, this.#signature(list, text))) {
      // Signed by us, so it is what `write` was given.
      return JSON.parse(Buffer.from(text, "base64url").toString()) as CursorValue[];
    }
    const detail = "is not a cursor of this very list";
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
