import { inBackground, keptPromise } from "../../../kit/background.ts";
import type { Logger } from "../../../kit/logger.ts";

interface LaneParts {
  /** Looks at the endpoints of the lane in changed workspaces, then sends what is due. */
  readonly look: (changed: ReadonlySet<string>) => Promise<void>;
  readonly logger: Pick<Logger, "error">;
}

/** The looks at the endpoints of one kind, one at a time; another lane does not wait for them. */
export class Lane {
  #changed = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looking: Promise<void> | undefined;
  #isAgain = false;
  #isStopped = false;

  constructor(private readonly parts: LaneParts) {}

  /** The next look follows the endpoints of this workspace. */
  note(workspaceId: string): void {
    this.#changed.add(workspaceId);
  }

  /** Looks after a pause, in which further calls become the same look. */
  wake(afterMs: number): void {
    if (this.#isStopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      inBackground(this.parts.logger, "webhooks-not-sent", () => this.look());
    }, afterMs);
    this.#timer.unref();
  }

  /** Looks now, or again after the look that is under way. */
  look(): Promise<void> {
    this.#isAgain = true;
    this.#looking ??= keptPromise(
      this.#lookAgain().finally(() => {
        this.#looking = undefined;
      }),
    );
    return this.#looking;
  }

  /** Ends the looks; {@link ended} waits for the last one. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  get ended(): Promise<void> {
    return this.#looking ?? Promise.resolve();
  }

  async #lookAgain(): Promise<void> {
    while (this.#isAgain && !this.#isStopped) {
      this.#isAgain = false;
      const changed = this.#changed;
      this.#changed = new Set();
      await this.parts.look(changed);
    }
  }
}
