import { inputError } from "#cli/errors.ts";
import { writeFileAtomically } from "#lib/files/atomic-write.ts";
import { readRegularFile } from "#lib/files/regular-file.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";

const longestCursor = 8_192;
/** A cursor and the blanks around it. */
const longestFile = longestCursor + 256;

/** The file where a watch continues. One write runs at a time, and the newest cursor wins. */
export class CursorFile {
  #saved: string | undefined;
  #next: string | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;
  #failure: unknown;

  constructor(private readonly path: string) {}

  /** The stored cursor; undefined for a missing or empty file. Throws E305 for another one. */
  async read(): Promise<string | undefined> {
    try {
      const bytes = await readRegularFile(this.path, longestFile);
      const text = new TextDecoder().decode(bytes).trim();
      if (text.length > longestCursor || /[^\w.:~=+/-]/.test(text)) {
        throw noCursor(this.path);
      }
      return (this.#saved = text === "" ? undefined : text);
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === "ENOENT") return undefined;
      if (code === undefined) throw error;
      if (code === "EFBIG") throw noCursor(this.path);
      throw inputError(`${this.path} cannot be read: ${systemErrorWords(error)}`);
    }
  }

  /** Begins to save a cursor. Throws the failure of an earlier write. */
  save(cursor: string): void {
    this.#requireHealth();
    this.#next = cursor;
    if (!this.#isWriting) this.#writing = this.#write();
  }

  /** Waits until the newest cursor is stored. Throws E305 if it could not be. */
  async saved(): Promise<void> {
    await this.#writing;
    this.#requireHealth();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    try {
      while (this.#next !== undefined && this.#next !== this.#saved) {
        const cursor = this.#next;
        await writeFileAtomically(this.path, `${cursor}\n`, { keepsLink: true });
        this.#saved = cursor;
      }
    } catch (error) {
      this.#failure = error;
    } finally {
      this.#isWriting = false;
    }
  }

  #requireHealth(): void {
    if (this.#failure === undefined) return;
    const words = systemErrorWords(this.#failure);
    throw inputError(
      `the cursor could not be saved in ${this.path}: ${words}`,
      "The last events come again with the next call",
    );
  }
}

function noCursor(path: string): Error {
  return inputError(`${path} has no cursor`, "Name another file with --cursor-file");
}
