import { inBackground, keptPromise } from "../../kit/background.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { Logger } from "../../kit/logger.ts";
import type { ChangeFeed } from "../../work/change-feed.ts";
import type { Work } from "../../work/work.ts";
import type { Snapshot } from "./position.ts";
import { readWorkspaces } from "./store.ts";

/** The pause between two looks for changes of other platforms, while a reader waits. */
const pauseMs = 25;

export interface WakeParts {
  readonly feed: ChangeFeed;
  /** Reads the rows of all workspaces. */
  readonly work: Work;
  readonly logger: Pick<Logger, "error">;
  readonly lifetime: Pick<Lifetime, "onClose">;
}

/**
 * Wakes readers of workspaces that may have new events: with the commit of this process, and on
 * PostgreSQL within 25 ms after that of another platform, by one statement for all workspaces.
 */
export class FeedWakes {
  readonly #listeners = new Map<string, Set<() => void>>();
  #seen: Snapshot | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(private readonly parts: WakeParts) {
    parts.feed.onCommit((workspaceId) => this.#wake(workspaceId));
    parts.lifetime.onClose(() => {
      this.#isClosed = true;
      clearTimeout(this.#timer);
      return this.#running?.catch(() => {});
    });
  }

  add(workspaceId: string, listener: () => void): () => void {
    const own = this.#listeners.get(workspaceId) ?? new Set();
    this.#listeners.set(workspaceId, own.add(listener));
    this.#schedule();
    return () => {
      own.delete(listener);
      if (own.size === 0 && this.#listeners.get(workspaceId) === own) {
        this.#listeners.delete(workspaceId);
      }
    };
  }

  #wake(workspaceId: string): void {
    for (const listener of this.#listeners.get(workspaceId) ?? []) listener();
  }

  #wakeAll(): void {
    for (const workspaceId of this.#listeners.keys()) this.#wake(workspaceId);
  }

  #schedule(): void {
    const { work, logger } = this.parts;
    if (work.read.dialect === "sqlite" || this.#timer !== undefined) return;
    if (this.#isClosed || this.#listeners.size === 0) return;
    this.#timer = setTimeout(() => {
      inBackground(logger, "feed-not-read", async () => {
        try {
          this.#running = keptPromise(this.#look());
          await this.#running;
        } finally {
          this.#timer = undefined;
          this.#schedule();
        }
      });
    }, pauseMs);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const { read } = this.parts.work;
    try {
      const before = this.#seen;
      const changed = await readWorkspaces(read, before);
      this.#seen = changed?.seen;
      if (before === undefined || changed === undefined) return this.#wakeAll();
      for (const workspaceId of changed.workspaceIds) this.#wake(workspaceId);
    } catch (error) {
      this.#seen = undefined;
      throw error;
    }
  }
}
