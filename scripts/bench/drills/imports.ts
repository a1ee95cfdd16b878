import { join } from "node:path";
import { userEnvironment } from "../../../test/support/environment.ts";
import { DrillSession, drillType } from "../../../test/support/drills/session.ts";
import {
  startPlatformProcess,
  type RunningPlatform,
} from "../../../test/support/platform-process.ts";
import { executable } from "../../build/executable.ts";
import { overDatabase, type DrillPlace } from "./engines.ts";
import type { DrillResult } from "./result.ts";

const rows = 100_000;
/** Each row of this distance has no whole number in its column. */
const badEvery = 400;
const kills = 9;
/** Each third kill is one of the platform, the others of the command. */
const platformEvery = 3;
/** The longest time between the first row of a run and its kill. */
const furtherMs = 800;
const growthLimitMs = 60_000;

/**
 * A table of 100,000 rows, of which 250 are bad, is imported, and the command or the platform is
 * killed (-9) nine times. Then each good row is there once, and each bad one is named with its row.
 */
export async function drillImports(place: DrillPlace): Promise<DrillResult> {
  const name = `${place.name}: import of ${rows.toLocaleString("en")} rows, killed ${kills} times`;
  const { directory } = place;
  const [table, rejects] = [join(directory, "rows.csv"), join(directory, "rejects.csv")];
  await Bun.write(table, tableText());
  const stored = await overDatabase(place, async (args) => {
    const start = (port: number): Promise<RunningPlatform> => {
      const dataDir = join(directory, "imported");
      return startPlatformProcess({ executable, dataDir, home: directory, args, port });
    };
    let platform = await start(0);
    try {
      const session = await DrillSession.create(platform);
      const env = userEnvironment(directory, {
        SVC_TOKEN: session.authorization.replace("Bearer ", ""),
        BASE_URL_PUBLIC_API: platform.url,
      });
      const svc = (...words: readonly string[]) =>
        Bun.spawn([executable, ...words, "--tenant-id", session.tenantId], {
          env,
          stdio: ["ignore", "pipe", "pipe"],
        });
      const imports = ["resources", "import", drillType.slug, table, "--rejects", rejects];
      for (let count = 1; count <= kills; count += 1) {
        const child = svc(...imports);
        await growth(session.at(platform));
        await Bun.sleep(Math.random() * furtherMs);
        if (count % platformEvery === 0) {
          const { port } = new URL(platform.url);
          await platform.kill();
          platform = await start(Number(port));
        }
        child.kill("SIGKILL");
        await child.exited;
        console.error(`  ${name}: ${await session.at(platform).count({})} records`);
      }
      const last = svc(...imports);
      const [fault, code] = [await new Response(last.stderr).text(), await last.exited];
      if (code !== 1) throw new Error(`the import with bad rows ends with ${code}: ${fault}`);
      const file = join(directory, "exported.csv");
      const exported = svc("resources", "export", drillType.slug, file);
      if ((await exported.exited) !== 0) throw new Error("the export has failed");
      return await Bun.file(file).text();
    } finally {
      await platform.stop();
    }
  });
  requireEachOnce(stored);
  requireNamed(await Bun.file(rejects).text());
  return { name, acknowledged: rows - rows / badEvery, lost: 0, cells: kills };
}

/** Waits until an import has stored a further row. */
async function growth(session: DrillSession): Promise<void> {
  const before = await session.count({});
  const endsAt = performance.now() + growthLimitMs;
  while ((await session.count({})) === before) {
    if (performance.now() > endsAt) throw new Error("the import stores no further row");
    await Bun.sleep(20);
  }
}

function tableText(): string {
  const lines = Array.from({ length: rows }, (_, at) => `${markerOf(at)},${countOf(at)}`);
  return `marker,count\n${lines.join("\n")}\n`;
}

function markerOf(at: number): string {
  return `row-${String(at).padStart(6, "0")}`;
}

function isBad(at: number): boolean {
  return at % badEvery === badEvery - 1;
}

function countOf(at: number): string {
  return isBad(at) ? "many" : String(at);
}

/** Throws unless each good row is in the export once, and no bad one. */
function requireEachOnce(text: string): void {
  const found = text.match(/row-\d{6}/g)?.toSorted() ?? [];
  const wanted = Array.from({ length: rows }, (_, at) => at).filter((at) => !isBad(at));
  const wrong = wanted.find((at, place) => found[place] !== markerOf(at));
  if (wrong !== undefined || found.length !== wanted.length) {
    throw new Error(`of ${wanted.length} good rows ${found.length} are stored, see row ${wrong}`);
  }
}

function requireNamed(text: string): void {
  const named = new Set(text.match(/row-\d{6}/g));
  const bad = Array.from({ length: rows }, (_, at) => at).filter(isBad);
  const missing = bad.filter((at) => !named.has(markerOf(at)));
  if (missing.length === 0 && named.size === bad.length) return;
  throw new Error(`of ${bad.length} bad rows ${named.size} are named, ${missing.length} are not`);
}
