import { within } from "#lib/time/within.ts";
import type { ChangeFeed } from "../../../work/change-feed.ts";
import { everySubject, installation, type ChangeEvent } from "../../../work/change-event.ts";
import type { Transaction } from "../../../work/work.ts";
import type { ConversationKey } from "../store.ts";

/**
 * What has changed of an answer: `written` is for its readers, who read its events and its end, and
 * `wanted` for its platform, which reads who follows it and who stops it.
 */
export type AnswerChange = "written" | "wanted";

/** Tells all platforms of a change; the rows of the transaction have what it is. */
export function answerChanged(
  tx: Pick<Transaction, "event">,
  { id }: Pick<ConversationKey, "id">,
  change: AnswerChange,
): void {
  tx.event("answer", id, installation, { type: change });
}

/** Returns true if the event reports this change of an answer, perhaps of one of many. */
export function reports(event: ChangeEvent, change: AnswerChange): boolean {
  const { kind, subject, type } = event;
  return kind === "answer" && (type === change || subject === everySubject);
}

/** Waits for what is written of one conversation's answer, as long as it is not disposed. */
export class WrittenChanges implements Disposable {
  #change = Promise.withResolvers<void>();
  readonly #remove: () => void;

  constructor(
    feed: Pick<ChangeFeed, "follow">,
    { id }: Pick<ConversationKey, "id">,
    private readonly lookMs: number,
    private readonly signal?: AbortSignal,
  ) {
    this.#remove = feed.follow({
      changed: (event) => {
        const isOwn = event.subject === id || event.subject === everySubject;
        if (isOwn && reports(event, "written")) this.#wake();
      },
      missed: this.#wake,
    });
    signal?.addEventListener("abort", this.#wake, { once: true });
  }

  readonly #wake = (): void => this.#change.resolve();

  /** Resolves after a change since the last call, after an abort, and else after `lookMs`. */
  async next(): Promise<void> {
    await within(this.lookMs, this.#change.promise, undefined);
    this.#change = Promise.withResolvers();
  }

  [Symbol.dispose](): void {
    this.#remove();
    this.signal?.removeEventListener("abort", this.#wake);
  }
}
