import { join } from "node:path";
import { clientOf, endMarker, listAll } from "../../../test/support/drills/feed-readers.ts";
import { DrillSession, drillType, memberOf } from "../../../test/support/drills/session.ts";
import { startPlatformProcess } from "../../../test/support/platform-process.ts";
import { executable } from "../../build/executable.ts";
import { overDatabase, type DrillPlace } from "./engines.ts";
import type { DrillResult } from "./result.ts";

const perBatch = 1_000;
/** A reader that follows from the start, one that reads slowly, and one that comes at the end. */
const slowEvery = 1_000;
const slowMs = 20;

/**
 * Creates records in batches while readers follow the feed. Each reader must have each record once
 * or more, in the order of the batches and of the items in them, whether it reads at once, slowly,
 * or after the last write.
 */
export async function drillFeedBatches(place: DrillPlace, records: number): Promise<DrillResult> {
  return overDatabase(place, async (args) => {
    const platform = await startPlatformProcess({
      executable,
      dataDir: join(place.directory, "batches"),
      home: place.directory,
      args,
    });
    try {
      const session = await DrillSession.create(platform);
      const { cursor } = await listAll(session);
      const beganMs = performance.now();
      const following = [
        follow(session, "a reader from the start", { cursor, records, isSlow: false }),
        follow(session, "a slow reader", { cursor, records, isSlow: true }),
      ];
      const all = Promise.all(following);
      all.catch(() => {});
      await write(session, records);
      const wroteMs = performance.now() - beganMs;
      const late = await follow(session, "a late reader", { cursor, records, isSlow: false });
      const repeated = [late, ...(await all)].reduce((sum, each) => sum + each, 0);
      const readMs = performance.now() - beganMs;
      const times = `written in ${seconds(wroteMs)}, read by three in ${seconds(readMs)}`;
      return {
        name: `${place.name}: batches of ${perBatch} arrive in order, ${times}, ${repeated} repeated`,
        acknowledged: records,
        lost: 0,
        cells: following.length + 1,
      };
    } finally {
      await platform.stop();
    }
  });
}

async function write(session: DrillSession, records: number): Promise<void> {
  for (let first = 0; first < records; first += perBatch) {
    const count = Math.min(perBatch, records - first);
    const items = Array.from({ length: count }, (_, at) => ({ marker: markerOf(first + at) }));
    await session.expect(200, "POST", "/batch/create", { items, atomic: true });
  }
  await session.expect(201, "POST", "", { marker: endMarker });
}

/** Throws at a record that is missing or out of order; returns how many were repeated. */
async function follow(
  session: DrillSession,
  name: string,
  {
    cursor,
    records,
    isSlow,
  }: { readonly cursor: string; readonly records: number; readonly isSlow: boolean },
): Promise<number> {
  const ids = new Set<string>();
  let repeated = 0;
  for await (const event of clientOf(session).watch({ types: [drillType.slug], cursor })) {
    if (event.type === "svc.feed.bookmark") continue;
    if (event.type === "svc.feed.reset") throw new Error(`${name}: ${JSON.stringify(event)}`);
    if (ids.has(event.id)) {
      repeated += 1;
      continue;
    }
    const marker = memberOf(memberOf(event.data, "after"), "marker");
    const wanted = ids.size === records ? endMarker : markerOf(ids.size);
    if (marker !== wanted) throw new Error(`${name}: ${String(marker)} came instead of ${wanted}`);
    if (marker === endMarker) return repeated;
    ids.add(event.id);
    if (isSlow && ids.size % slowEvery === 0) await Bun.sleep(slowMs);
  }
  throw new Error(`${name}: the stream ended after ${ids.size} records`);
}

function markerOf(at: number): string {
  return `m${String(at).padStart(9, "0")}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
