import { Database } from "bun:sqlite";
import { join } from "node:path";
import { rm } from "node:fs/promises";
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
const longestFurtherMs = 3_000;
const backupLimitMs = 120_000;

interface Acknowledged {
  readonly id: string;
  readonly at: number;
}

/**
 * Writers work, backups are taken each second, and the platform is killed (-9) now and then. Then
 * each backup is restored, and must have every write that was acknowledged before it began.
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
    for (let taken = 0; taken < wanted; taken = (await listed(folder)).length) {
      const platform = await start();
      session = session?.at(platform) ?? (await DrillSession.create(platform));
      let isOver = false;
      const own = session;
      const work = Array.from({ length: writers }, () => write(own, acknowledged, () => isOver));
      await oneMore(folder, taken);
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
  for (const [at, backup] of backups.entries()) {
    const target = join(place.directory, `restored-${at}`);
    const words = ["--from", folder, "--set", backup.name, "--data-dir", target, ...key];
    await svc("serve", "restore", ...words);
    requireAll(backup.createdAt, target, acknowledged);
    await rm(target, { recursive: true, force: true });
  }
  return { name, acknowledged: acknowledged.length, lost: 0, cells: backups.length };
}

async function oneMore(folder: string, taken: number): Promise<void> {
  const endsAt = performance.now() + backupLimitMs;
  while ((await listed(folder)).length <= taken) {
    if (performance.now() > endsAt) throw new Error("no backup was taken in two minutes");
    await Bun.sleep(200);
  }
}

async function write(
  session: DrillSession,
  acknowledged: Acknowledged[],
  isOver: () => boolean,
): Promise<void> {
  for (let count = 0; !isOver(); count += 1) {
    try {
      const { status, json } = await session.call("POST", "", { marker: "backup", count });
      if (status === 201) {
        acknowledged.push({ id: String(memberOf(json, "id")), at: Date.now() });
      }
    } catch {
      // The platform was killed before its answer.
      return;
    }
    await Bun.sleep(5);
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
  const database = new Database(join(dataDir, "svc.db"), { readonly: true });
  try {
    const rows = database.query<{ id: string }, []>("select id from resources").all();
    const found = new Set(rows.map(({ id }) => id));
    const lost = acknowledged.filter(({ id, at }) => at < Date.parse(createdAt) && !found.has(id));
    if (lost.length > 0) throw new Error(`a backup lacks ${lost.length} acknowledged writes`);
  } finally {
    database.close();
  }
}
