import type { Health } from "#contract/health.ts";
import { within } from "#lib/within.ts";
import type { BlobStore } from "../../files/blob-store.ts";
import type { Database } from "../../database/database.ts";
import type { Logger } from "../../kit/logger.ts";
import type { Room } from "../../files/disk-space.ts";
import { StorageError } from "../../kit/storage-errors.ts";
import { askDatabase } from "../../database/soundness.ts";

type Component = NonNullable<Health["components"]>[string];

export interface HealthOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly blobProvider: "disk" | "s3";
  readonly room: { readonly database: Room; readonly files: Room };
  readonly version: string;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** A part that the platform needs. */
export interface Part {
  readonly name: string;
  /** Whether it does; one that throws or hangs does not. */
  readonly ask: () => Promise<Component>;
  /** What the platform is without it: `degraded` where most of it goes on. */
  readonly without: "down" | "degraded";
  /** How long a good answer is given again. */
  readonly goodForMs: number;
}

/** What is there is read; whether there is room again is what the next write finds out. */
const withoutRoom: Component = { status: "degraded", detail: "has no space left for writes" };
/** How long any answer is given again, so that nobody's probing becomes load. */
const keptMs = 1_000;
const checkTimeoutMs = 2_000;
/** Of the file store: a folder costs nothing to ask, a request to a store elsewhere costs money. */
const filesGoodForMs = { disk: keptMs, s3: 30_000 };

/** Whether the platform can serve, by asking the parts it needs. */
export class HealthService {
  readonly #parts: AskedPart[] = [];
  readonly #version: string;
  readonly #now: () => number;
  readonly #logger: Logger;

  constructor(options: HealthOptions) {
    const { database, blobs, blobProvider, room, version, now, logger } = options;
    this.#version = version;
    this.#now = () => now().getTime();
    this.#logger = logger;
    this.addPart({
      name: "database",
      without: "down",
      goodForMs: keptMs,
      async ask() {
        await askDatabase(database.read);
        return room.database.isLacking ? withoutRoom : { status: "ok", detail: database.dialect };
      },
    });
    // Records, search and answers go on without it; uploads and downloads do not.
    this.addPart({
      name: "files",
      without: "degraded",
      goodForMs: filesGoodForMs[blobProvider],
      async ask() {
        await blobs.check();
        return room.files.isLacking ? withoutRoom : { status: "ok", detail: blobProvider };
      },
    });
  }

  /** A further part that health depends on. */
  addPart(part: Part): void {
    this.#parts.push(new AskedPart(part, this.#logger));
  }

  async health(): Promise<Health> {
    const now = this.#now();
    const answers = await Promise.all(
      this.#parts.map(async (part) => [part.name, await part.state(now)] as const),
    );
    const states = answers.map(([, { status }]) => status);
    const status = states.includes("down")
      ? "down"
      : states.includes("degraded")
        ? "degraded"
        : "ok";
    return { status, version: this.#version, components: Object.fromEntries(answers) };
  }
}

/** A part, and what it answered last. */
class AskedPart {
  readonly #part: Part;
  #kept: { readonly state: Promise<Component>; endsAt: number } | undefined;
  /** A question without an answer yet: what hangs is not asked a second time beside it. */
  #open: Promise<Component> | undefined;
  readonly #logger: Logger;
  /** What was logged last, so that each reason is once. */
  #logged: string | undefined;

  constructor(part: Part, logger: Logger) {
    this.#part = part;
    this.#logger = logger;
  }

  get name(): string {
    return this.#part.name;
  }

  state(now: number): Promise<Component> {
    if (this.#kept === undefined || this.#kept.endsAt <= now) {
      const kept = { state: this.#ask(), endsAt: now + keptMs };
      void kept.state.then(({ status }) => {
        if (status !== "ok") return;
        kept.endsAt = now + this.#part.goodForMs;
        this.#logged = undefined;
      });
      this.#kept = kept;
    }
    return this.#kept.state;
  }

  async #ask(): Promise<Component> {
    const { ask, without: status } = this.#part;
    try {
      this.#open ??= ask().finally(() => {
        this.#open = undefined;
      });
      return await within(checkTimeoutMs, this.#open, {
        status,
        detail: "does not answer in time",
      });
    } catch (error) {
      this.#log(error);
      return { status, detail: error instanceof StorageError ? error.conduct : "does not answer" };
    }
  }

  #log(error: unknown): void {
    const reason = String(error);
    if (reason === this.#logged) return;
    this.#logged = reason;
    this.#logger.warn({ event: "part-unwell", part: this.name, error: reason });
  }
}
