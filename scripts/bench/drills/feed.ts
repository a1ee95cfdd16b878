import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { drillFeed, type FeedDrillOptions } from "../../../test/support/drills/feed-drill.ts";
import { DrillSession } from "../../../test/support/drills/session.ts";
import {
  startPlatformProcess,
  type RunningPlatform,
} from "../../../test/support/platform-process.ts";
import { executable } from "../../build/executable.ts";
import { startPostgres } from "../../postgres.ts";
import { freePort } from "../../server-program.ts";
import { overDatabase, type DrillPlace } from "./engines.ts";
import type { DrillResult } from "./result.ts";

interface FeedDrillSize {
  readonly kills: number;
  readonly writers: number;
}

const platformsAtOnce = 3;
const longestLifeMs = 600;
/**
 * All writers together write at most so many times per second: a machine that is full of refused
 * writes starts no platform.
 */
const writesPerSecond = 300;
/** Kills in each 1,000 rounds: 200 of svc, of which 80 are one of three, and 20 of PostgreSQL. */
const killsOf = { sqlite: 60, postgresql: 60, several: 80, database: 20 };

/** Platforms are killed (-9) while writers write and readers follow the feed of changes. */
export async function drillFeedKills(
  place: DrillPlace,
  { rounds, writers }: { readonly rounds: number; readonly writers: number },
): Promise<DrillResult[]> {
  const sizeOf = (kills: number): FeedDrillSize => ({
    kills: Math.ceil((kills * rounds) / 1000),
    writers,
  });
  const killSome = (kills: number, count: number): Promise<DrillResult> =>
    overDatabase(place, (args) => killPlatforms(place, args, count, sizeOf(kills)));
  if (place.postgres === undefined) return [await killSome(killsOf.sqlite, 1)];
  return [
    await killSome(killsOf.postgresql, 1),
    await killSome(killsOf.several, platformsAtOnce),
    await killDatabase(place, place.postgres, sizeOf(killsOf.database)),
  ];
}

function paceOf({ writers }: FeedDrillSize): Pick<FeedDrillOptions, "longestLifeMs" | "pauseMs"> {
  // A pause is half of its longest one on average.
  return { longestLifeMs, pauseMs: Math.max(20, (2 * 1000 * writers) / writesPerSecond) };
}

async function killPlatforms(
  place: DrillPlace,
  args: readonly string[],
  count: number,
  size: FeedDrillSize,
): Promise<DrillResult> {
  const all = await KillablePlatforms.start(place, args, count);
  try {
    const session = await DrillSession.create(all.first);
    const counts = await drillFeed({
      ...paceOf(size),
      ...size,
      sessions: all.urls.map((url) => session.at({ url })),
      kill: () => all.killOne(),
    });
    const which = count === 1 ? "svc" : `one of ${count} svc`;
    return resultOf(`${place.name}: ${which} is killed (-9)`, counts, size);
  } finally {
    await all.stop();
  }
}

async function killDatabase(
  place: DrillPlace,
  postgres: string,
  size: FeedDrillSize,
): Promise<DrillResult> {
  // The server's account may be unable to reach a private TMPDIR.
  const directory = await mkdtemp("/tmp/svc-postgres-");
  const port = await freePort();
  const start = () => startPostgres(postgres, { isDurable: true, directory, port });
  let cluster = await start();
  const args = [`--database-url=${await cluster.createDatabase("drill")}`];
  const all = await KillablePlatforms.start(place, args, 1);
  try {
    const session = await DrillSession.create(all.first);
    const counts = await drillFeed({
      ...paceOf(size),
      ...size,
      sessions: [session],
      async kill() {
        await killTree(cluster.pid);
        await cluster.stop();
        cluster = await start();
      },
    });
    return resultOf(`${place.name}: it is killed (-9)`, counts, size);
  } finally {
    await all.stop();
    await cluster.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Platforms on one database that come back at their address after a kill. */
class KillablePlatforms {
  #running: RunningPlatform[] = [];

  private constructor(
    private readonly begin: (at: number) => Promise<RunningPlatform>,
    readonly count: number,
  ) {}

  static async start(
    { directory }: DrillPlace,
    args: readonly string[],
    count: number,
  ): Promise<KillablePlatforms> {
    const ports: number[] = [];
    while (ports.length < count) ports.push(await freePort());
    const base = join(directory, `feed-${crypto.randomUUID()}`);
    const all = new KillablePlatforms((at) => {
      const dataDir = `${base}-${at}`;
      const port = ports[at] ?? 0;
      const env = { SVC_KEY_FILE: `${base}-0/svc.key` };
      const shared = args.length === 0 ? {} : { env };
      return startPlatformProcess({ executable, dataDir, home: directory, port, args, ...shared });
    }, count);
    for (let at = 0; at < count; at += 1) all.#running.push(await all.begin(at));
    return all;
  }

  get first(): RunningPlatform {
    const [first] = this.#running;
    if (first === undefined) throw new Error("no platform runs");
    return first;
  }

  get urls(): string[] {
    return this.#running.map(({ url }) => url);
  }

  async killOne(): Promise<void> {
    const at = Math.floor(Math.random() * this.count);
    await this.#running[at]?.kill();
    this.#running[at] = await this.begin(at);
  }

  async stop(): Promise<void> {
    for (const platform of this.#running) await platform.kill();
  }
}

/** Kills the server with the processes of its connections, which would otherwise write on. */
async function killTree(pid: number): Promise<void> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  for (const each of [pid, ...children.trim().split(" ").map(Number)]) {
    if (each > 0) process.kill(each, "SIGKILL");
  }
}

function resultOf(
  name: string,
  counts: Awaited<ReturnType<typeof drillFeed>>,
  { kills, writers }: FeedDrillSize,
): DrillResult {
  const { readers, changes, repeated, unanswered } = counts;
  console.error(`  ${name}: ${JSON.stringify(counts)}`);
  const figures = `${writers} writers, ${readers} readers, ${changes} changes received`;
  return {
    name: `${name}: ${figures}, ${repeated} repeated, ${unanswered} writes unanswered`,
    acknowledged: counts.acknowledged,
    lost: 0,
    cells: kills,
  };
}
