import type { Creation } from "../../domains/records/write/creations.ts";
import { LeaderOnlyError } from "../../kit/storage-errors.ts";
import type { CreationAnswer, ToMain } from "./messages.ts";
import type { Outbox } from "./outbox.ts";

/** Creates records for a reading thread: the thread checks them, the main thread writes them. */
export class CreationForwarder {
  readonly #outbox: Outbox<ToMain>;
  readonly #open = new Map<number, PromiseWithResolvers<void>>();
  #lastId = 0;

  constructor(outbox: Outbox<ToMain>) {
    this.#outbox = outbox;
  }

  /**
   * Resolves once the record is durable. Rejects with `LeaderOnlyError` if nothing was written for
   * any reason: the main thread then answers the whole request.
   */
  async write({ type, write, references }: Creation): Promise<void> {
    if (references !== undefined) throw new LeaderOnlyError("This thread locks no records");
    const id = (this.#lastId += 1);
    const written = Promise.withResolvers<void>();
    this.#open.set(id, written);
    const { workspaceId, slug, revision } = type;
    this.#outbox.post({ kind: "creation", id, workspaceId, slug, revision, write });
    return written.promise;
  }

  receive({ id, isWritten }: CreationAnswer): void {
    const written = this.#open.get(id);
    this.#open.delete(id);
    if (isWritten) written?.resolve();
    else written?.reject(new LeaderOnlyError("The main thread has not written this record"));
  }
}
