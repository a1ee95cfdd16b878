import type { WriteCreations } from "../../domains/records/write/create-records.ts";
import { LeaderOnlyError } from "../../kit/storage-errors.ts";
import { UnitFacts } from "../../work/unit-facts.ts";
import type { Work } from "../../work/work.ts";
import type { CreationAnswer, ToMain } from "./messages.ts";
import type { Outbox } from "./outbox.ts";

/** Creates records for a reading thread: it checks them, and the main thread writes them. */
export class CreationForwarder {
  readonly #open = new Map<number, PromiseWithResolvers<void>>();
  #lastId = 0;

  constructor(private readonly outbox: Outbox<ToMain>) {}

  /**
   * Resolves once the record is durable. Rejects with `LeaderOnlyError` when nothing was written:
   * the main thread then answers the whole request, with the reason.
   */
  async write({ requestId }: Work, unitOf: Parameters<WriteCreations>[1]): Promise<void> {
    // The main thread serves requests with a key, so that no fact is kept here.
    const { type, items, references } = unitOf(new UnitFacts(undefined));
    const [item] = items;
    if (item === undefined || references !== undefined) {
      throw new LeaderOnlyError("This thread locks no records");
    }
    const { record, keys, indexed, entry } = item;
    const id = (this.#lastId += 1);
    const written = Promise.withResolvers<void>();
    this.#open.set(id, written);
    const { workspaceId, slug, revision } = type;
    const write = { record, keys, indexed, entry };
    const under = { workspaceId, slug, revision };
    this.outbox.post({ kind: "creation", id, ...under, write, requestId });
    return written.promise;
  }

  receive({ id, isWritten }: CreationAnswer): void {
    const written = this.#open.get(id);
    this.#open.delete(id);
    if (isWritten) written?.resolve();
    else written?.reject(new LeaderOnlyError("The main thread has not written this record"));
  }
}
