import { given } from "#lib/given.ts";
import { counted } from "#lib/text/counted.ts";
import type { PlatformBase } from "../../../domains/base.ts";
import type { ErasedId } from "../../../domains/erasures/service.ts";
import type { HealthService } from "../../../domains/health/service.ts";
import { Scheduler, type ScheduledTask } from "../../../jobs/scheduler.ts";
import type { FilesCredentials } from "../../../files/s3/files-url.ts";
import type { Work } from "../../../work/work.ts";
import type { StorageLocation } from "../../storage-location.ts";
import { openBackupKeys, type BackupKeyOptions } from "../place/backup-keys.ts";
import { openBackupPlace } from "../place/backup-place.ts";
import { SealedObjects } from "../place/sealed-objects.ts";
import type { LogShipping } from "../log/log-shipping.ts";
import { storeErasures } from "../sets/later-erasures.ts";
import { runInProcess } from "./backup-process.ts";
import { runBackup, type BackupEvent, type BackupRequest } from "./backup-run.ts";
import {
  addBackup,
  changeBackup,
  forgetBackups,
  newestBackup,
  newestIn,
  type BackupRow,
  type BackupState,
} from "./backup-store.ts";

/** The schedule of backups, from the options of `svc serve`. */
export interface BackupSettings extends BackupKeyOptions {
  /** The place of the backups: a folder, or `s3://bucket/prefix?…`. */
  readonly to: string;
  readonly credentials?: FilesCredentials | undefined;
  readonly everyMs: number;
  readonly keptMs: number;
  /** Program and arguments of the process that takes backups; this process without it. */
  readonly command?: readonly string[] | undefined;
}

type Shipping = Pick<
  LogShipping,
  "start" | "begun" | "lineStartedAtMs" | "shippedUntilMs" | "isBehind"
>;

/** A failed backup is tried again after this time, or at its next time if that is earlier. */
const retryMs = 10 * 60_000;
const lookMs = 1_000;
const extendMs = 10_000;
const failuresKeptMs = 90 * 24 * 60 * 60_000;
/** A backup takes time: one is overdue when the next one should have ended too. */
const overdueMs = 15 * 60_000;

/** Takes and checks backups by a schedule, on one platform of a database at a time. */
export class ScheduledBackups implements ScheduledTask {
  readonly name = "backups";
  readonly scheduler: Scheduler;
  readonly #work: Work;
  readonly #startedAtMs: number;
  readonly #stopped = new AbortController();

  constructor(
    private readonly base: Pick<
      PlatformBase,
      "platformWork" | "worker" | "now" | "lifetime" | "logger"
    >,
    private readonly location: StorageLocation,
    private readonly settings: BackupSettings,
    /** The shipment of the log of SQLite. */
    private readonly shipping?: Shipping,
  ) {
    this.#work = base.platformWork("the backups of this database");
    this.#startedAtMs = base.now().getTime();
    this.scheduler = new Scheduler({ ...base, task: this });
  }

  start(health: Pick<HealthService, "addPart">): void {
    const { lifetime } = this.base;
    lifetime.onDrain(async () => this.#stopped.abort(new Error("the platform stops")));
    lifetime.onClose(() => this.#stopped.abort(new Error("the platform is closed")));
    this.scheduler.start(lookMs);
    this.shipping?.start();
    health.addPart({
      name: "backups",
      without: "degraded",
      goodForMs: 5_000,
      ask: () => this.#health(),
    });
  }

  async isDue(): Promise<boolean> {
    await this.shipping?.begun();
    return this.#isDue(await newestBackup(this.#work.read));
  }

  /** The starts of the newest verified, stored and failed backups, in seconds since 1970. */
  async times(): Promise<Readonly<Record<"verified" | "stored" | "failed", number | undefined>>> {
    const { read } = this.#work;
    const timeOf = async (state: BackupState): Promise<number | undefined> => {
      const row = await newestIn(read, state);
      return row && Date.parse(row.started_at) / 1000;
    };
    const [verified, stored, failed] = [
      await timeOf("verified"),
      await timeOf("stored"),
      await timeOf("failed"),
    ];
    return { verified, stored, failed };
  }

  /** Stores erased ids in the place, for backups that still have them. A failure is logged. */
  async storeErasures(ids: readonly ErasedId[]): Promise<void> {
    const { logger, now } = this.base;
    try {
      const keys = await openBackupKeys(this.settings, { makes: true });
      const place = await openBackupPlace(this.settings.to, this.settings.credentials);
      await storeErasures(new SealedObjects(place, keys), ids, now());
    } catch (error) {
      // The next backup has the whole list.
      logger.error({ event: "erasures-not-in-backups", error: String(error) });
    }
  }

  async run(extend: () => Promise<boolean>): Promise<void> {
    const newest = await newestBackup(this.#work.read);
    if (!this.#isDue(newest)) return;
    const lost = new AbortController();
    const signal = AbortSignal.any([lost.signal, this.#stopped.signal]);
    const renewal = setInterval(() => {
      extend().then(
        (isHeld) => isHeld || lost.abort(new Error("another platform takes the backup")),
        () => lost.abort(new Error("the lease of the backup could not be renewed")),
      );
    }, extendMs);
    try {
      await this.#run(newest?.state === "stored" ? newest : undefined, signal);
    } catch (error) {
      // The next start, or another platform, takes it from the beginning.
      if (!this.#stopped.signal.aborted) throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  #isDue(newest: BackupRow | undefined): boolean {
    if (newest === undefined) return true;
    const { everyMs, backupKeyFile } = this.settings;
    const age = this.base.now().getTime() - Date.parse(newest.started_at);
    if (newest.state === "running") return true;
    if (newest.state === "failed") return age >= Math.min(everyMs, retryMs);
    // The log continues no backup that is older than its line.
    if (Date.parse(newest.started_at) < (this.shipping?.lineStartedAtMs ?? 0)) return true;
    return age >= everyMs || (newest.state === "stored" && backupKeyFile !== undefined);
  }

  /** Takes a backup, or checks one whose check was interrupted. */
  async #run(unchecked: BackupRow | undefined, signal: AbortSignal): Promise<void> {
    const { now, logger } = this.base;
    const check = this.settings.backupKeyFile === undefined ? null : (unchecked?.name ?? null);
    const id = check === null || unchecked === undefined ? Bun.randomUUIDv7() : unchecked.id;
    if (check === null) {
      await this.#work.write((tx) => addBackup(tx, id, now().toISOString()));
    }
    const verified = (await newestIn(this.#work.read, "verified"))?.name ?? undefined;
    const request = { ...this.#request(), ...given({ check: check ?? undefined, verified }) };
    let detail: object = {};
    const onEvent = async (event: BackupEvent): Promise<void> => {
      detail = { ...detail, ...event };
      await this.#note(id, event, detail);
      const isFault = event.event === "failed" || (event.event === "checked" && !event.ok);
      if (isFault) logger.error({ ...event, event: "backup-failed" });
    };
    const { command } = this.settings;
    await (command === undefined
      ? runBackup(request, { now, signal, onEvent })
      : runInProcess(command, request, { signal, onEvent }));
  }

  async #note(id: string, event: BackupEvent, detail: object): Promise<void> {
    const now = this.base.now();
    const at = now.toISOString();
    const failedBefore = new Date(now.getTime() - failuresKeptMs).toISOString();
    await this.#work.write(async (tx) => {
      if (event.event === "stored") {
        await changeBackup(tx, id, { state: "stored", name: event.name, detail, at });
      } else if (event.event === "checked") {
        await changeBackup(tx, id, { state: event.ok ? "verified" : "failed", detail, at });
      } else if (event.event === "failed") {
        if (!event.keepsBackup) await changeBackup(tx, id, { state: "failed", detail, at });
      } else await forgetBackups(tx, { names: event.sets, failedBefore });
    });
  }

  #request(): BackupRequest {
    const { dataDirectory, databaseUrl, keyFile, filesUrl, filesCredentials } = this.location;
    const { to, credentials, backupKeyFile, recipients = [], keptMs } = this.settings;
    return {
      dataDirectory,
      to,
      recipients: [...recipients],
      keptMs,
      ...given({
        hasLog: this.shipping && this.settings.command !== undefined,
        databaseUrl,
        keyFile,
        filesUrl,
        filesCredentials,
        credentials,
        backupKeyFile,
      }),
    };
  }

  /** Health is public: the reasons of a failure are in the log only. */
  async #health() {
    const { read } = this.#work;
    const { everyMs, backupKeyFile } = this.settings;
    const isChecked = backupKeyFile !== undefined;
    const newest = await newestBackup(read);
    const good = await newestIn(read, isChecked ? "verified" : "stored");
    const last = good?.started_at;
    const words = isChecked ? "the last verified backup is of" : "the last backup is of";
    const whole = last === undefined ? "no backup is verified yet" : `${words} ${last}`;
    const sinceMs = last === undefined ? this.#startedAtMs : Date.parse(last);
    const stands = `${whole}${this.#shippedWords()}`;
    const isLate = this.base.now().getTime() - sinceMs > 2 * everyMs + overdueMs;
    if (newest?.state === "failed") {
      return { status: "degraded", detail: `the last backup has failed; ${stands}` } as const;
    }
    if (this.shipping?.isBehind === true) {
      return { status: "degraded", detail: `the log can't be stored; ${stands}` } as const;
    }
    if (isLate) return { status: "degraded", detail: `a backup is overdue; ${stands}` } as const;
    const lost = lostFiles(good);
    if (lost > 0) {
      const files = `${counted(lost, "file")} missing or damaged in the file store`;
      return { status: "degraded", detail: `the last backup lacks ${files}; ${stands}` } as const;
    }
    return { status: "ok", detail: stands } as const;
  }

  #shippedWords(): string {
    const until = this.shipping?.shippedUntilMs;
    return until === undefined ? "" : `; its log is stored until ${new Date(until).toISOString()}`;
  }
}

/** Files that records or documents need and a backup does not have. */
function lostFiles(backup: BackupRow | undefined): number {
  // Only this module writes the column; a backup of an older build names none.
  const { files } = JSON.parse(backup?.detail ?? "{}") as { files?: { lost?: number } };
  return files?.lost ?? 0;
}
