import { Database } from "bun:sqlite";
import { join } from "node:path";
import { readdir, rm } from "node:fs/promises";
import { DrillSession, memberOf } from "../../../test/support/drills/session.ts";
import {
  startPlatformProcess,
  type RunningPlatform,
} from "../../../test/support/platform-process.ts";
import { executable } from "../../build/executable.ts";
import { overDatabase, type DrillPlace } from "./engines.ts";
import type { DrillResult } from "./result.ts";

const writers = 4;
/** Each third life of the platform ends by a kill, in the middle of another backup or its check. */
const killShare = 1 / 3;
const longestFurtherMs = 1_000;
const backupLimitMs = 120_000;
/** Each check reads all records, so that more of them would make the drill long. */
const writeEveryMs = 25;
/** A life of the platform takes one backup to this many. */
const longestLife = 8;
/** Restores run next to each other, as processes of one thread. */
const restoresAtOnce = 2;
const moments = 5;
/** A state of SQLite may lack so much before the wished time. */
const nearMs = 10_000;

interface Acknowledged {
  readonly id: string;
  /** The times of the request and of its answer. */
  readonly since: number;
  readonly at: number;
}

/**
 * Writers work, backups are taken each second, and the platform is killed (-9) now and then. Then
 * each backup is restored, and must have every write that was acknowledged before it began. On
 * SQLite some moments are restored too: within 10 s, without a write that came later.
 */
export async function drillBackups(place: DrillPlace, wanted: number): Promise<DrillResult> {
  const name = `${place.name}: scheduled backups under load, each restored`;
  const dataDir = join(place.directory, "backed-up");
  const folder = join(place.directory, "backups");
  const key = ["--backup-key-file", join(place.directory, "backup.key")];
  const acknowledged: Acknowledged[] = [];
  let kills = 0;
  await overDatabase(place, async (database) => {
    const args = [...database, "--backup-to", folder, "--backup-every", "1s", ...key];
    const start = (): Promise<RunningPlatform> =>
      startPlatformProcess({ executable, dataDir, home: place.directory, args });
    let session: DrillSession | undefined;
    for (let taken = 0; taken < wanted; taken = await countIn(folder)) {
      const platform = await start();
      session = session?.at(platform) ?? (await DrillSession.create(platform));
      let isOver = false;
      const own = session;
      const work = Array.from({ length: writers }, () => write(own, acknowledged, () => isOver));
      await more(folder, taken + 1 + Math.floor(Math.random() * longestLife), wanted);
      await Bun.sleep(Math.random() * longestFurtherMs);
      isOver = true;
      const isKilled = Math.random() < killShare;
      kills += isKilled ? 1 : 0;
      await (isKilled ? platform.kill() : platform.stop());
      await Promise.all(work);
      console.error(`  ${name}: ${taken} backups, ${acknowledged.length} writes, ${kills} kills`);
    }
  });
  const backups = await listed(folder);
  let restores = 0;
  const restored = async (words: readonly string[], check: (dir: string, text: string) => void) => {
    const target = join(place.directory, `restored-${restores++}`);
    const given = ["--from", folder, "--data-dir", target, ...key, ...words];
    check(target, await svc("serve", "restore", ...given));
    await rm(target, { recursive: true, force: true });
  };
  const rest = backups.values();
  const restoreRest = async (): Promise<void> => {
    for (const { name: set, createdAt } of rest) {
      await restored(["--set", set], (target) => requireAll(createdAt, target, acknowledged));
    }
  };
  await Promise.all(Array.from({ length: restoresAtOnce }, restoreRest));
  const wishes = place.postgres === undefined ? wishesIn(backups, acknowledged) : [];
  for (const wishMs of wishes) {
    await restored(["--at", new Date(wishMs).toISOString()], (target, text) =>
      requireMoment(wishMs, text, target, acknowledged),
    );
  }
  const cells = backups.length + wishes.length;
  return { name, acknowledged: acknowledged.length, lost: 0, cells };
}

/** Waits until the folder has so many backups, at most the wanted ones. */
async function more(folder: string, count: number, wanted: number): Promise<void> {
  let [taken, endsAt] = [0, 0];
  while (taken < Math.min(count, wanted)) {
    const found = await countIn(folder);
    if (found > taken || endsAt === 0) endsAt = performance.now() + backupLimitMs;
    else if (performance.now() > endsAt) throw new Error("no backup was taken in two minutes");
    taken = found;
    await Bun.sleep(100);
  }
}

/** The number of whole backups in a folder. */
async function countIn(folder: string): Promise<number> {
  const names = await readdir(join(folder, "sets"), { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith("/manifest.json")).length;
}

/** Moments between the first backup and the end of the work, of which each has a later write. */
function wishesIn(
  backups: readonly ListedBackup[],
  acknowledged: readonly Acknowledged[],
): readonly number[] {
  const since = Date.parse(backups[0]?.createdAt ?? "") + 1;
  const until = (acknowledged.at(-1)?.since ?? 0) - 2 * nearMs;
  // The work of a few backups is shorter.
  const span = Math.max(0, until - since);
  return Array.from({ length: moments }, () => since + Math.random() * span);
}

async function write(
  session: DrillSession,
  acknowledged: Acknowledged[],
  isOver: () => boolean,
): Promise<void> {
  for (let count = 0; !isOver(); count += 1) {
    const since = Date.now();
    try {
      const { status, json } = await session.call("POST", "", { marker: "backup", count });
      if (status === 201) {
        acknowledged.push({ id: String(memberOf(json, "id")), since, at: Date.now() });
      }
    } catch {
      // The platform was killed before its answer.
      return;
    }
    await Bun.sleep(writeEveryMs);
  }
}

interface ListedBackup {
  readonly name: string;
  readonly createdAt: string;
}

async function listed(folder: string): Promise<readonly ListedBackup[]> {
  const text = await svc("serve", "backup", "list", "--from", folder);
  const rows: ListedBackup[] = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  const damaged = rows.find(({ createdAt }) => createdAt === undefined);
  if (damaged !== undefined) throw new Error(`the backup ${damaged.name} is damaged`);
  return rows;
}

async function svc(...words: readonly string[]): Promise<string> {
  const child = Bun.spawn([executable, ...words, "--format", "json"], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [text, fault] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`svc ${words.join(" ")}: ${text}${fault}`);
  return text;
}

/** Throws for an acknowledged write that a restored database lacks; its rows are in SQLite. */
function requireAll(
  createdAt: string,
  dataDir: string,
  acknowledged: readonly Acknowledged[],
): void {
  const found = recordsIn(dataDir);
  const lost = acknowledged.filter(({ id, at }) => at < Date.parse(createdAt) && !found.has(id));
  if (lost.length > 0) throw new Error(`a backup lacks ${lost.length} acknowledged writes`);
}

/** Throws for a state that is not the wished one, or is too far from it. */
function requireMoment(
  wishMs: number,
  text: string,
  dataDir: string,
  acknowledged: readonly Acknowledged[],
): void {
  const { state }: { state: { at: string } } = JSON.parse(text);
  const reachedMs = Date.parse(state.at);
  if (wishMs - reachedMs > nearMs) throw new Error(`${state.at} is too long before the wish`);
  const found = recordsIn(dataDir);
  const lost = acknowledged.filter(({ id, at }) => at < reachedMs && !found.has(id));
  if (lost.length > 0) throw new Error(`the state of ${state.at} lacks ${lost.length} writes`);
  const later = acknowledged.filter(({ id, since }) => since > wishMs && found.has(id));
  if (later.length > 0)
    throw new Error(`the state of ${state.at} has ${later.length} later writes`);
}

function recordsIn(dataDir: string): ReadonlySet<string> {
  const database = new Database(join(dataDir, "svc.db"), { readonly: true });
  try {
    const rows = database.query<{ id: string }, []>("select id from resources").all();
    return new Set(rows.map(({ id }) => id));
  } finally {
    database.close();
  }
}
