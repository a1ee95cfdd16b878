import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { processMemory, untilIdle, usedMicroseconds } from "#test/support/process-use.ts";
import { executable } from "../../build/executable.ts";
import { mix } from "../data/dataset.ts";
import { dataColumns, dataRow, verdict } from "../data/goals.ts";
import { enginePlace, overDatabase } from "../drills/engines.ts";
import { mebibytes, perSecond, renderGroup, type Row } from "../figures.ts";
import { load, wireRequest, type WireRequest } from "../load.ts";
import { preparePlatform, type BenchPlatform } from "../platform.ts";
import { measureNearest } from "./nearest.ts";

export interface FeatureBenchOptions {
  readonly features: number;
  readonly engines: readonly string[];
}

const dataset = "posts";
const path = `/v4/geo/datasets/${dataset}/features`;
const importGoalPerSecond = 20_000;
const readGoal = { p99Ms: 20 };
const warmUpMs = 3_000;
const durationMs = 4_000;
/** Half the side of the box and of the area that a request names, in degrees. */
const halfSide = 0.02;

/**
 * `npm run bench -- features`: a file of features into a dataset on each database, next to
 * `ogr2ogr` into SpatiaLite where it is installed, then look-ups by box, geometry and name, and the
 * nearest of as many records.
 */
export async function benchFeatures(
  directory: string,
  { features, engines }: FeatureBenchOptions,
): Promise<void> {
  const file = join(directory, "features.ndjson");
  await writeFeatures(file, features);
  const title = `${features.toLocaleString("en")} features`;
  const foreign = await foreignImport(directory, file, features);
  if (foreign !== undefined) print("GDAL", title, [foreign]);
  for (const engine of engines) {
    const place = await enginePlace(directory, engine);
    if (place === undefined) continue;
    const rows = await overDatabase(place, async (args) => {
      const platform = await preparePlatform(place.directory, args);
      try {
        return await measure(platform, file, features);
      } finally {
        await platform.running.stop();
      }
    });
    print(place.name, title, rows);
  }
}

function print(engine: string, title: string, rows: readonly Row[]): void {
  console.log(`${renderGroup({ name: `${engine}, ${title}`, columns: dataColumns }, rows)}\n`);
}

async function measure(
  platform: BenchPlatform,
  file: string,
  features: number,
): Promise<readonly Row[]> {
  const { client, running } = platform;
  await client.geoDatasets.create({ body: { dataset, nameProperties: ["name"] } });
  const usedBefore = await usedMicroseconds(running.pid);
  const beganMs = performance.now();
  await run([executable, "geo", "import", dataset, file, "--wait"], platform);
  const rate = features / ((performance.now() - beganMs) / 1_000);
  const used = (await usedMicroseconds(running.pid)) - usedBefore;
  const { own, peak } = await processMemory(running.pid);
  const isReached = rate >= importGoalPerSecond;
  const goal = verdict(perSecond(importGoalPerSecond), isReached);
  const rows: Row[] = [
    {
      name: "import",
      figures: [perSecond(rate), "", "", `${(used / features).toFixed(1)} µs`, goal],
    },
    { name: "memory after it, and at its peak", figures: [mebibytes(own), "", mebibytes(peak)] },
  ];
  await untilIdle(running.pid);
  const post = (to: string, body: unknown): WireRequest => {
    const headers = [
      `authorization: Bearer ${platform.token}`,
      `x-tenant-id: ${platform.tenantId}`,
      "content-type: application/json",
    ];
    return wireRequest("POST", new URL(to, running.url), headers, JSON.stringify(body), 200);
  };
  const requests: Readonly<Record<string, (index: number) => WireRequest>> = {
    "features in a box": (index) => post(`${path}/query`, { bbox: boxAt(index), limit: 20 }),
    "features that have a point": (index) =>
      post(`${path}/query`, { intersects: pointIn(areaBefore(index, features)), limit: 20 }),
    "features within an area": (index) => {
      const coordinates = [ringOf(boxAt(index))];
      return post(`${path}/query`, { within: { type: "Polygon", coordinates }, limit: 20 });
    },
    "a feature by its name": (index) =>
      post("/v4/geo/resolve-location", { query: nameAt(mix(index) % features) }),
  };
  for (const [name, request] of Object.entries(requests)) {
    await load(new URL(running.url), { connections: 1, durationMs: warmUpMs, request });
    const before = await usedMicroseconds(running.pid);
    const result = await load(new URL(running.url), { connections: 1, durationMs, request });
    const usedByThem = (await usedMicroseconds(running.pid)) - before;
    rows.push(dataRow(name, { ...result, usedMicroseconds: usedByThem }, readGoal));
  }
  rows.push(...(await measureNearest(platform, features, readGoal)));
  return rows;
}

/** `ogr2ogr` reads the same file into SpatiaLite, with an index of places. */
async function foreignImport(
  directory: string,
  file: string,
  features: number,
): Promise<Row | undefined> {
  if (Bun.which("ogr2ogr") === null) {
    console.log("ogr2ogr: it is not here (gdal-bin)");
    return undefined;
  }
  const target = join(directory, "foreign.sqlite");
  const options = ["-f", "SQLite", "-dsco", "SPATIALITE=YES", "-gt", "65536"];
  const beganMs = performance.now();
  await run(["ogr2ogr", ...options, target, `GeoJSONSeq:${file}`]);
  const rate = features / ((performance.now() - beganMs) / 1_000);
  return { name: "ogr2ogr into SpatiaLite", figures: [perSecond(rate), "", "", "", ""] };
}

async function run(words: readonly string[], platform?: BenchPlatform): Promise<void> {
  const child = Bun.spawn([...words], {
    ...(platform === undefined ? {} : { env: platform.env, cwd: platform.home }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [text, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (exitCode !== 0) throw new Error(`${words.slice(0, 3).join(" ")} failed: ${text.trim()}`);
}

/** Three points and an area of five positions in turn, all in a square of 20 degrees. */
async function writeFeatures(file: string, features: number): Promise<void> {
  const stream = createWriteStream(file);
  for (let index = 0; index < features; index += 1) {
    const geometry = isArea(index)
      ? { type: "Polygon", coordinates: [ringOf(areaAt(index))] }
      : { type: "Point", coordinates: placeAt(index) };
    const properties = { name: nameAt(index), status: ["open", "closed"][index % 2] };
    const text = JSON.stringify({ type: "Feature", id: `f-${index}`, properties, geometry });
    if (!stream.write(`${text}\n`)) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "close");
}

type Box = readonly [west: number, south: number, east: number, north: number];

const isArea = (index: number): boolean => index % 4 === 0;
const nameAt = (index: number): string => `Post ${mix(index) % 9_973} Row ${index}`;

function placeAt(index: number): readonly [longitude: number, latitude: number] {
  return [(mix(2 * index) % 200_003) / 10_000, 40 + (mix(2 * index + 1) % 199_999) / 10_000];
}

function around(index: number, half: number): Box {
  const [longitude, latitude] = placeAt(index);
  return [longitude - half, latitude - half, longitude + half, latitude + half];
}

const areaAt = (index: number): Box => around(index, 0.001);
const boxAt = (index: number): Box => around(mix(index) % 1_000_003, halfSide);

/** An area of the file, all over it. */
function areaBefore(index: number, features: number): Box {
  const any = mix(index) % features;
  return areaAt(any - (any % 4));
}

function pointIn([west, south]: Box) {
  return { type: "Point", coordinates: [west + 0.0005, south + 0.0005] };
}

function ringOf([west, south, east, north]: Box) {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}
