import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findPostgres } from "../postgres.ts";
import { drillArchives } from "./drills/archives.ts";
import { drillBackups } from "./drills/backups.ts";
import { drillCollisions } from "./drills/collisions.ts";
import type { DrillPlace } from "./drills/engines.ts";
import { drillFeedKills } from "./drills/feed.ts";
import { drillFeedBatches } from "./drills/feed-batches.ts";
import { drillFailingDisk } from "./drills/failing-disk.ts";
import { drillFullDisk } from "./drills/full-disk.ts";
import { drillHostileServers } from "./drills/hostile-servers.ts";
import { drillImports } from "./drills/imports.ts";
import { drillKills } from "./drills/kills.ts";
import { drillMoves } from "./drills/moves.ts";
import { drillPowerLoss } from "./drills/power-loss.ts";
import { drillRefusedUploads } from "./drills/refused-uploads.ts";
import { drillColumns, rowOf, type DrillResult, type FilledSize } from "./drills/result.ts";
import { renderGroup } from "./figures.ts";

interface DrillSize {
  readonly rounds: number;
  /** Clients that write while something is killed. */
  readonly writers: number;
}

/** Records that readers of the feed receive; 100,000 with the usual rounds. */
const recordsPerRound = 100;

/** Records and files of a move or an archive; 1,000,000 and 10,000 with the usual rounds. */
const movedPerRound = 1_000;
const filesPerRound = 10;

/** The drills by their names. A life with a disk takes longer than one without: fewer of them. */
const drills: Readonly<
  Record<string, (places: readonly DrillPlace[], size: DrillSize) => Promise<DrillResult[]>>
> = {
  collisions: (places) => each(places, drillCollisions),
  "refused-uploads": ([first], { rounds }) => drillRefusedUploads(first?.directory ?? "", rounds),
  kills: (places, { rounds }) => each(places, (place) => drillKills(place, rounds)),
  "power-loss": (places, { rounds }) =>
    each(places, (place) => drillPowerLoss(place, Math.ceil(rounds / 20))),
  backups: (places, { rounds }) =>
    each(places, (place) => drillBackups(place, Math.ceil(rounds / 20))),
  imports: (places) => each(places, drillImports),
  moves: async ([first], { rounds }) => [
    await drillMoves(first?.directory ?? "", filledSize(rounds)),
  ],
  archives: async ([first], { rounds }) => [
    await drillArchives(first?.directory ?? "", filledSize(rounds)),
  ],
  "full-disk": (places, { rounds }) =>
    each(places, (place) => drillFullDisk(place, Math.ceil(rounds / 250))),
  "failing-disk": (places) => each(places, drillFailingDisk),
  "feed-kills": async (places, size) =>
    (await each(places, (place) => drillFeedKills(place, size))).flat(),
  "feed-batches": (places, { rounds }) =>
    each(places, (place) => drillFeedBatches(place, rounds * recordsPerRound)),
  "hostile-servers": ([first], { rounds }) => drillHostileServers(first?.directory ?? "", rounds),
};

export const drillNames: readonly string[] = Object.keys(drills);

/**
 * `npm run bench -- drills [--rounds N] [--writers N] [--drill NAME]…`: looks for what gets lost,
 * on both databases. Throws at the first loss, with what was lost.
 */
export async function runDrills(
  directory: string,
  { names, ...size }: DrillSize & { readonly names: readonly string[] },
): Promise<void> {
  const postgres = await findPostgres();
  if (postgres === undefined) console.log("PostgreSQL: there is no server here");
  const results: DrillResult[] = [];
  for (const name of names) {
    const places: DrillPlace[] = [{ name: "SQLite", directory: join(directory, name, "sqlite") }];
    if (postgres !== undefined) {
      places.push({ name: "PostgreSQL", directory: join(directory, name, "postgresql"), postgres });
    }
    for (const place of places) await mkdir(place.directory, { recursive: true });
    const found = (await drills[name]?.(places, size)) ?? [];
    for (const result of found)
      console.error(`  ${result.name}: ${rowOf(result).figures.join(", ")}`);
    results.push(...found);
  }
  console.log(`\n${renderGroup({ name: "drills", columns: drillColumns }, results.map(rowOf))}\n`);
}

/** The drills of moves and archives first store 1,000 records and 10 files for each round. */
function filledSize(rounds: number): FilledSize {
  return { records: rounds * movedPerRound, files: rounds * filesPerRound };
}

async function each<Result>(
  places: readonly DrillPlace[],
  drill: (place: DrillPlace) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const place of places) results.push(await drill(place));
  return results;
}
