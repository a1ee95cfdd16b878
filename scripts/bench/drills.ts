import { join } from "node:path";
import { drillConflicts } from "../../test/support/drills/conflicts.ts";
import { CrashDrill, integrityOf } from "../../test/support/drills/crashes.ts";
import { refusedUploads, sendRefused, uploadClients } from "../../test/support/drills/refusals.ts";
import { DrillSession } from "../../test/support/drills/session.ts";
import { startPlatformProcess, type RunningPlatform } from "../../test/support/platform-process.ts";
import { executable } from "../build/executable.ts";
import { findPostgres, startPostgres } from "../postgres.ts";

const clients = 50;
const writesEach = 200;
/** The longest life of a platform under load before it is killed. */
const longestLifeMs = 400;
const reportEvery = 25;

/**
 * `npm run bench -- drills [--rounds N]`: 50 clients who all change one record 200 times, on both
 * databases, 1,000 refused uploads by each of three clients, and a platform that is killed under
 * load 1,000 times. Throws what was lost.
 */
export async function runDrills(directory: string, rounds: number): Promise<void> {
  await drillEachDatabase(directory);
  await drillRefusals(directory, rounds);
  const dataDir = join(directory, "crashes");
  const start = (): Promise<RunningPlatform> =>
    startPlatformProcess({ executable, dataDir, home: directory });
  const first = await start();
  const session = await DrillSession.create(first).finally(() => first.stop());
  const drill = new CrashDrill({ start, session });
  const { counts } = drill;
  while (counts.rounds < rounds) {
    await drill.round(longestLifeMs);
    if (counts.rounds % reportEvery !== 0) continue;
    requireOk(integrityOf(dataDir));
    console.error(`  killed ${counts.rounds} times: ${JSON.stringify(counts)}`);
  }
  await drill.finish();
  requireOk(integrityOf(dataDir));
  console.log(
    `killed ${counts.rounds} times: ${counts.creates} creates, ${counts.updates} updates and ` +
      `${counts.batches} batches were acknowledged, and all of them stand; ` +
      `${counts.unanswered} had no answer, of which ${counts.doneUnanswered} had been done`,
  );
}

async function drillEachDatabase(directory: string): Promise<void> {
  await drillClients("SQLite", join(directory, "conflicts"), directory, []);
  const folder = await findPostgres();
  if (folder === undefined) return console.log("PostgreSQL: there is no server here");
  const cluster = await startPostgres(folder);
  try {
    const url = await cluster.createDatabase("drill");
    const dataDir = join(directory, "conflicts-postgresql");
    await drillClients("PostgreSQL", dataDir, directory, [`--database-url=${url}`]);
  } finally {
    await cluster.stop();
  }
}

async function drillRefusals(directory: string, rounds: number): Promise<void> {
  const dataDir = join(directory, "refusals");
  const platform = await startPlatformProcess({ executable, dataDir, home: directory });
  try {
    const uploads = refusedUploads(await DrillSession.create(platform));
    for (const [name, client] of Object.entries(uploadClients)) {
      for (const size of [100_000, 5_000_000]) {
        const options = { url: platform.url, size, rounds, directory };
        const { read, failures } = await sendRefused(client, uploads, options);
        if (read !== rounds) throw new Error(`${name}: ${JSON.stringify(failures)}`);
        console.log(`${name}: ${read} problems of ${rounds} refused uploads of ${size} bytes read`);
      }
    }
  } finally {
    await platform.stop();
  }
}

async function drillClients(
  name: string,
  dataDir: string,
  home: string,
  args: readonly string[],
): Promise<void> {
  const platform = await startPlatformProcess({ executable, dataDir, home, args });
  try {
    const outcome = await drillConflicts(await DrillSession.create(platform), clients, writesEach);
    const { acknowledged, conflicts, version, count } = outcome;
    if (version !== acknowledged + 1 || count !== acknowledged) {
      throw new Error(`${name}: a write was lost: ${JSON.stringify(outcome)}`);
    }
    console.log(
      `${name}: ${clients} clients, ${writesEach} writes each on one record: ${acknowledged} ` +
        `acknowledged, ${conflicts} tried again, and the record counts ${count}`,
    );
  } finally {
    await platform.stop();
  }
}

function requireOk(integrity: string): void {
  if (integrity !== "ok") throw new Error(`the database is damaged: ${integrity}`);
}
