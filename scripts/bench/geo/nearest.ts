import { untilIdle, usedMicroseconds } from "#test/support/process-use.ts";
import { mix } from "../data/dataset.ts";
import { dataRow, type Goal } from "../data/goals.ts";
import { perSecond, type Row } from "../figures.ts";
import { load, wireRequest, type WireRequest } from "../load.ts";
import type { BenchPlatform } from "../platform.ts";

const slug = "post";
const batchSize = 1_000;
const fillingAtOnce = 4;
const warmUpMs = 3_000;
const durationMs = 4_000;

/** Records with points in a square of 20 degrees, then the nearest ones of any point in it. */
export async function measureNearest(
  platform: BenchPlatform,
  count: number,
  goal: Goal,
): Promise<readonly Row[]> {
  const { client, running, tenantId } = platform;
  await client.objectTypes.create({
    body: {
      name: "Post",
      slug,
      properties: {
        name: { type: "string" },
        status: { type: "string", indexed: true },
        place: { type: "geopoint" },
      },
    },
  });
  const address = new URL(`/v4/data/resources/${tenantId}/${slug}`, running.url);
  const send = (method: string, path: string, body?: unknown): WireRequest => {
    const headers = [`authorization: Bearer ${platform.token}`, "content-type: application/json"];
    const text = body === undefined ? "" : JSON.stringify(body);
    return wireRequest(method, new URL(`${address.href}${path}`), headers, text, 200);
  };
  const beganMs = performance.now();
  await load(address, {
    connections: fillingAtOnce,
    count: Math.ceil(count / batchSize),
    isPatient: true,
    request(index) {
      const first = index * batchSize;
      const items = Array.from({ length: Math.min(batchSize, count - first) }, (_, offset) =>
        recordAt(first + offset),
      );
      return send("POST", "/batch/create", items);
    },
  });
  const rate = count / ((performance.now() - beganMs) / 1_000);
  const rows: Row[] = [{ name: "records with a point", figures: [perSecond(rate)] }];
  await untilIdle(running.pid);
  const filters: Readonly<Record<string, object>> = {
    "nearest 20 records, without a bound": {},
    "nearest 20 records, one of two statuses": { status: "open" },
  };
  for (const [name, others] of Object.entries(filters)) {
    const request = (index: number): WireRequest => {
      const $geometry = { type: "Point", coordinates: placeOf(mix(index)) };
      const where = JSON.stringify({ place: { $near: { $geometry } }, ...others });
      return send("GET", `?${new URLSearchParams({ where, limit: "20" }).toString()}`);
    };
    await load(address, { connections: 1, durationMs: warmUpMs, request });
    const before = await usedMicroseconds(running.pid);
    const result = await load(address, { connections: 1, durationMs, request });
    const used = (await usedMicroseconds(running.pid)) - before;
    rows.push(dataRow(name, { ...result, usedMicroseconds: used }, goal));
  }
  return rows;
}

function recordAt(index: number) {
  const place = { type: "Point", coordinates: placeOf(index) };
  return { name: `Post ${index}`, status: ["open", "closed"][index % 2], place };
}

function placeOf(index: number): readonly [longitude: number, latitude: number] {
  return [(mix(2 * index) % 200_003) / 10_000, 40 + (mix(2 * index + 1) % 199_999) / 10_000];
}
