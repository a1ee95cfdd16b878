import type { Health } from "#contract/platform/health.ts";
import { within } from "#lib/time/within.ts";
import type { BlobStore } from "../../files/blob-store.ts";
import type { Database } from "../../database/database.ts";
import type { PlatformWork } from "../../work/works.ts";
import { keptPromise } from "../../kit/background.ts";
import type { Logger } from "../../kit/logger.ts";
import type { Room } from "../../files/disk-space.ts";
import {
  ConnectionLostError,
  DatabaseFaultError,
  DetachedFileError,
  isDamaged,
  OverloadedError,
  StorageError,
  StorageFullError,
} from "../../kit/storage-errors.ts";
import { FeedState } from "../feed/service.ts";
import { ReadProbe, WriteProbe } from "./probes.ts";

type Component = NonNullable<Health["components"]>[string];

export interface HealthOptions {
  readonly platformWork: PlatformWork;
  readonly database: Pick<Database, "risks" | "writeFailure" | "freeBytes">;
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
  /** True if the part is known to have failed, so that a kept state `ok` has ended. */
  readonly hasFailed?: () => boolean;
  /** The requests of all clients that fail without the part; none by default. */
  readonly carries?: "reads" | "writes";
}

/** The health of the parts, and which requests clients can expect to succeed. */
export interface Condition {
  readonly health: Health;
  readonly reads: boolean;
  readonly writes: boolean;
}

/** Reads still work; the next write, or the next check, finds out whether there is space again. */
const withoutRoom: Component = { status: "degraded", detail: "has no space left for writes" };
/** Reads may show what is not stored; the next start finds out what is. */
const durabilityLost = "could not make a write durable: check the disk, then restart the platform";
const writesFail = "refuses writes";
/** How long any state is kept, so that frequent probes cause no load. */
const keptMs = 1_000;
const checkTimeoutMs = 2_000;
/** How long health names damaged data after the last request that met some. */
const damageKeptMs = 10 * 60_000;
/** A check of writes is a commit that waits for the disk. */
const writesGoodForMs = 5_000;
/** A check of a folder costs nothing; a request to S3 costs money. */
const filesGoodForMs = { disk: keptMs, s3: 30_000 };

/** Reports whether the platform can serve, from the state of its parts. */
export class HealthService {
  readonly #parts: AskedPart[] = [];
  readonly feed: FeedState;
  readonly #warnings: (() => Promise<string | undefined>)[] = [];
  #damage: { readonly error: StorageError; readonly at: Date } | undefined;
  #warned: { readonly asked: Promise<readonly string[]>; readonly endsAt: number } | undefined;

  constructor(private readonly options: HealthOptions) {
    const { database, platformWork, blobs, blobProvider, room } = options;
    const work = platformWork("whether the database answers");
    this.feed = new FeedState(work, options.now);
    this.addWarning(() => this.feed.warning());
    const reads = new ReadProbe(work);
    const writes = new WriteProbe(work, options.now, database.freeBytes);
    this.addPart({
      name: "database",
      without: "down",
      goodForMs: keptMs,
      carries: "reads",
      async ask() {
        await reads.run();
        return { status: "ok", detail: work.read.dialect };
      },
    });
    this.addPart({
      name: "database",
      without: "degraded",
      goodForMs: writesGoodForMs,
      hasFailed: () => database.writeFailure?.() !== undefined || mayFail(room.database),
      carries: "writes",
      async ask() {
        const failure = database.writeFailure?.();
        if (failure !== undefined) return { status: "down", detail: lossOf(failure) };
        try {
          await writes.run({ findsRoom: mayFail(room.database) });
        } catch (error) {
          if (!(error instanceof StorageFullError)) throw error;
        }
        return room.database.isLacking ? withoutRoom : { status: "ok", detail: work.read.dialect };
      },
    });
    this.addPart({
      name: "database",
      without: "degraded",
      goodForMs: keptMs,
      hasFailed: () => this.#damage !== undefined,
      ask: () => Promise.resolve(this.#damaged() ?? { status: "ok", detail: work.read.dialect }),
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

  /** Notes the error of a request: a probe does not touch each page that can be damaged. */
  noteFailure(error: unknown): void {
    if (isDamaged(error)) this.#damage = { error, at: this.options.now() };
  }

  #damaged(): Component | undefined {
    if (this.#damage === undefined) return undefined;
    const { error, at } = this.#damage;
    if (this.options.now().getTime() - at.getTime() > damageKeptMs) return undefined;
    return {
      status: "degraded",
      detail: `${error.conduct} (a request met it at ${at.toISOString()})`,
    };
  }

  addPart(part: Part): void {
    this.#parts.push(new AskedPart(part, this.options.logger));
  }

  /** Adds a look for a sentence to the operator; undefined for none. */
  addWarning(look: () => Promise<string | undefined>): void {
    this.#warnings.push(look);
  }

  async health(): Promise<Health> {
    return (await this.condition()).health;
  }

  async condition(): Promise<Condition> {
    const now = this.options.now().getTime();
    const answers = await Promise.all(
      this.#parts.map(async (part) => ({ part, state: await part.state(now) })),
    );
    const components: Record<string, Component> = {};
    for (const { part, state } of answers) {
      const other = components[part.name];
      if (other === undefined || worst(other, state) === state) components[part.name] = state;
    }
    const { version, database } = this.options;
    const warnings = [
      ...(database.risks ?? []).map((risk) => `${risk}: ${mayLose}`),
      ...(await this.#lookForWarnings(now)),
    ];
    const health: Health = {
      status: Object.values(components).reduce(worst, { status: "ok" }).status,
      version,
      components,
      ...(warnings.length === 0 ? {} : { warnings }),
    };
    const carried = (what: Part["carries"]): boolean =>
      answers.every(({ part, state }) => part.carries !== what || !part.fails(state));
    return { health, reads: carried("reads"), writes: carried("writes") };
  }

  #lookForWarnings(now: number): Promise<readonly string[]> {
    if (this.#warned === undefined || this.#warned.endsAt <= now) {
      const looks = this.#warnings.map(async (look) => {
        // A look that fails warns of nothing: the part of the database names the failure.
        const bounded = within(checkTimeoutMs, look(), undefined);
        return bounded.catch(() => undefined);
      });
      this.#warned = { asked: keptPromise(sentences(looks)), endsAt: now + keptMs };
    }
    return this.#warned.asked;
  }
}

async function sentences(looks: readonly Promise<string | undefined>[]): Promise<string[]> {
  return (await Promise.all(looks)).filter((each) => each !== undefined);
}

const order = ["ok", "degraded", "down"];

/** The second one only when it is worse. */
function worst(first: Component, second: Component): Component {
  return order.indexOf(second.status) > order.indexOf(first.status) ? second : first;
}

/** A small write may succeed where those of clients fail. */
function mayFail({ isLacking, hasFailed = false }: Room): boolean {
  return isLacking || hasFailed;
}

function lossOf(failure: unknown): string {
  return failure instanceof DetachedFileError ? failure.conduct : durabilityLost;
}

const mayLose = "acknowledged writes may be lost or damaged in a crash of its machine";

const busy = "has too much to do";

class AskedPart {
  #kept: { readonly state: Promise<Component>; endsAt: number } | undefined;
  /** True if the kept state is `ok`. */
  #isWell = false;
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

  get carries(): Part["carries"] {
    return this.part.carries;
  }

  /** A part that only has too much to do serves other requests. */
  fails({ status, detail }: Component): boolean {
    return status !== "ok" && detail !== busy;
  }

  state(now: number): Promise<Component> {
    const hasFailed = this.#isWell && this.part.hasFailed?.() === true;
    if (this.#kept === undefined || this.#kept.endsAt <= now || hasFailed) {
      this.#isWell = false;
      const kept = { state: keptPromise(this.#ask()), endsAt: now + keptMs };
      const keepLonger = ({ status }: Component): void => {
        if (status !== "ok") return;
        kept.endsAt = now + this.part.goodForMs;
        this.#isWell = true;
        this.#logged = undefined;
      };
      kept.state.then(keepLonger, () => {});
      this.#kept = kept;
    }
    return this.#kept.state;
  }

  async #ask(): Promise<Component> {
    const { ask, without: status } = this.part;
    try {
      this.#open ??= keptPromise(
        ask().finally(() => {
          this.#open = undefined;
        }),
      );
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
      if (error instanceof OverloadedError) return { status: "degraded", detail: busy };
      const isNamed =
        error instanceof ConnectionLostError ||
        error instanceof DatabaseFaultError ||
        this.part.carries !== "writes";
      const conduct = error instanceof StorageError ? error.conduct : "does not answer";
      return { status, detail: isNamed ? conduct : writesFail };
    }
  }
}
