import type { Health } from "#contract/platform/health.ts";
import { within } from "#lib/time/within.ts";
import type { BlobStore } from "../../files/blob-store.ts";
import type { Database } from "../../database/database.ts";
import type { PlatformWork } from "../../work/works.ts";
import type { Logger } from "../../kit/logger.ts";
import type { Room } from "../../files/disk-space.ts";
import { StorageError } from "../../kit/storage-errors.ts";
import { askDatabase } from "../../database/soundness.ts";

type Component = NonNullable<Health["components"]>[string];

export interface HealthOptions {
  readonly platformWork: PlatformWork;
  readonly database: Pick<Database, "risks" | "writeFailure">;
  readonly blobs: BlobStore;
  readonly blobProvider: "disk" | "s3";
  readonly room: { readonly database: Room; readonly files: Room };
  readonly version: string;
  readonly now: () => Date;
  readonly logger: Logger;
}

export interface Part {
  readonly name: string;
  /** The part's state; a part that throws or hangs has failed. */
  readonly ask: () => Promise<Component>;
  /** The platform's state without the part: `degraded` if most of it still works. */
  readonly without: "down" | "degraded";
  /** How long the state `ok` is kept. */
  readonly goodForMs: number;
}

/** Reads still work; the next write finds out whether there is space again. */
const withoutRoom: Component = { status: "degraded", detail: "has no space left for writes" };
/** Reads may show what is not stored; the next start finds out what is. */
const withoutSync: Component = {
  status: "down",
  detail: "could not make a write durable: restart the platform",
};
/** How long any state is kept, so that frequent probes cause no load. */
const keptMs = 1_000;
const checkTimeoutMs = 2_000;
/** A check of a folder costs nothing; a request to S3 costs money. */
const filesGoodForMs = { disk: keptMs, s3: 30_000 };

/** Whether the platform can serve, from the state of its parts. */
export class HealthService {
  readonly #parts: AskedPart[] = [];

  constructor(private readonly options: HealthOptions) {
    const { database, platformWork, blobs, blobProvider, room } = options;
    const { read } = platformWork("whether the database answers");
    this.addPart({
      name: "database",
      without: "down",
      goodForMs: keptMs,
      async ask() {
        if (database.writeFailure?.() !== undefined) return withoutSync;
        await askDatabase(read);
        return room.database.isLacking ? withoutRoom : { status: "ok", detail: read.dialect };
      },
    });
    // Records, search and chat work without files; uploads and downloads do not.
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

  addPart(part: Part): void {
    this.#parts.push(new AskedPart(part, this.options.logger));
  }

  async health(): Promise<Health> {
    const now = this.options.now().getTime();
    const answers = await Promise.all(
      this.#parts.map(async (part) => [part.name, await part.state(now)] as const),
    );
    const states = answers.map(([, { status }]) => status);
    const status = states.includes("down")
      ? "down"
      : states.includes("degraded")
        ? "degraded"
        : "ok";
    const { version, database } = this.options;
    const warnings = (database.risks ?? []).map((risk) => `${risk}: ${mayLose}`);
    return {
      status,
      version,
      components: Object.fromEntries(answers),
      ...(warnings.length === 0 ? {} : { warnings }),
    };
  }
}

const mayLose = "acknowledged writes may be lost or damaged in a crash of its machine";

class AskedPart {
  #kept: { readonly state: Promise<Component>; endsAt: number } | undefined;
  /** The running check: a part that hangs gets no second one. */
  #open: Promise<Component> | undefined;
  /** The reason in the log, so that each reason is logged once. */
  #logged: string | undefined;

  constructor(
    private readonly part: Part,
    private readonly logger: Logger,
  ) {}

  get name(): string {
    return this.part.name;
  }

  state(now: number): Promise<Component> {
    if (this.#kept === undefined || this.#kept.endsAt <= now) {
      const kept = { state: this.#ask(), endsAt: now + keptMs };
      void kept.state.then(({ status }) => {
        if (status !== "ok") return;
        kept.endsAt = now + this.part.goodForMs;
        this.#logged = undefined;
      });
      this.#kept = kept;
    }
    return this.#kept.state;
  }

  async #ask(): Promise<Component> {
    const { ask, without: status } = this.part;
    try {
      this.#open ??= ask().finally(() => {
        this.#open = undefined;
      });
      return await within(checkTimeoutMs, this.#open, {
        status,
        detail: "does not answer in time",
      });
    } catch (error) {
      const reason = String(error);
      if (reason !== this.#logged) {
        this.#logged = reason;
        this.logger.warn({ event: "part-unwell", part: this.name, error: reason });
      }
      return { status, detail: error instanceof StorageError ? error.conduct : "does not answer" };
    }
  }
}
