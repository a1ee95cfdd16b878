import { setTimeout } from "node:timers/promises";
import { parsedJson } from "#lib/json/value.ts";
import type { Database, LogLine } from "../../../database/database.ts";
import { keptPromise } from "../../../kit/background.ts";
import type { Lifetime } from "../../../kit/lifetime.ts";
import type { Logger } from "../../../kit/logger.ts";
import { processLines } from "../schedule/backup-process.ts";
import { shipEvent, shipLog, type ShipEvent, type ShipRequest } from "./ship-log.ts";

/** A state of the database can be restored with a distance of this time and of one look. */
const copyMs = 8_000;
const retryMs = 10_000;
const behindMs = 60_000;

/**
 * Copies the log of an SQLite database every few seconds, and keeps a process that ships the copies
 * to the place of backups. A line of copies begins with the first backup after its start.
 */
export class LogShipping {
  #line: LogLine | undefined;
  #begun: Promise<void> | undefined;
  #shippedUntilMs: number | undefined;
  #failingSinceMs: number | undefined;
  readonly #stopped = new AbortController();

  constructor(
    private readonly parts: {
      readonly copyLog: NonNullable<Database["copyLog"]>;
      readonly lifetime: Lifetime;
      readonly logger: Logger;
      readonly request: ShipRequest;
      readonly command: readonly string[] | undefined;
    },
  ) {}

  /** The start of the line in milliseconds; an earlier backup can't be continued by it. */
  get lineStartedAtMs(): number | undefined {
    return this.#line?.startedAt;
  }

  /** All that was committed before this time is in the place. */
  get shippedUntilMs(): number | undefined {
    return this.#shippedUntilMs;
  }

  /** True if copies have waited for longer than a short failure of the place. */
  get isBehind(): boolean {
    return Date.now() - (this.#failingSinceMs ?? Number.POSITIVE_INFINITY) > behindMs;
  }

  start(): void {
    const { lifetime } = this.parts;
    lifetime.onDrain(async () => this.#stopped.abort(new Error("the platform stops")));
    lifetime.onClose(() => this.#stopped.abort(new Error("the platform is closed")));
    lifetime.every(copyMs, "log-not-copied", () => this.copy());
    this.#ship().catch(() => {});
  }

  /** Resolves when the line has begun, which the first backup must follow. Never rejects. */
  begun(): Promise<void> {
    // A failed copy is reported by the next one.
    return (this.#begun ??= keptPromise(this.copy().catch(() => {})));
  }

  async copy(): Promise<void> {
    this.#line = (await this.parts.copyLog("copy")) ?? this.#line;
  }

  async #ship(): Promise<void> {
    const { signal } = this.#stopped;
    const { request, command, logger } = this.parts;
    const onEvent = (event: ShipEvent): Promise<void> => this.#note(event);
    while (!signal.aborted) {
      try {
        if (command === undefined) await shipLog(request, { signal, onEvent });
        else {
          for await (const line of processLines(command, request, signal)) {
            const event = shipEvent.safeParse(parsedJson(line));
            if (event.success) await onEvent(event.data);
            else throw new Error(line);
          }
          throw new Error("the process that ships the log stopped");
        }
      } catch (error) {
        if (signal.aborted) return;
        const words = error instanceof Error ? error.message : String(error);
        logger.error({ event: "log-not-shipped", error: words });
      }
      this.#failingSinceMs ??= Date.now();
      await setTimeout(retryMs, undefined, { signal }).catch(() => {});
    }
  }

  async #note(event: ShipEvent): Promise<void> {
    if (event.event === "shipped") {
      this.#failingSinceMs = undefined;
      this.#shippedUntilMs = event.until;
      return;
    }
    if (event.event === "lost") {
      this.parts.logger.error({ event: "file-not-in-backups", sha256: event.sha256 });
      return;
    }
    this.parts.logger.error({ event: "log-has-gap", line: event.line });
    if (event.line === this.#line?.line) this.#line = await this.parts.copyLog("renew");
  }
}
