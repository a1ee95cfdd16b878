import { join } from "node:path";
import { measureBareSqlite } from "./bare-sqlite.ts";
import { compile } from "../build/executable.ts";
import { milliseconds, percentile, perSecond, type Group, type Row } from "./figures.ts";
import { load, wireRequest, type WireRequest } from "./load.ts";
import { recordData, recordCount, type BenchPlatform } from "./platform.ts";

const connectionCount = 64;
const durationMs = 3_000;
/** Until each thread of a platform has compiled what it is asked for. */
const warmUpMs = 5_000;
const bareMs = 1_000;

/** Gets, lists and durable creates a second, by our own loop over raw keep-alive sockets. */
export function requests(directory: string, platform: BenchPlatform): Group {
  return {
    name: `requests by our own loop over ${connectionCount} raw sockets, ${durationMs / 1000} s, ${recordCount} records`,
    columns: ["rate", "p50", "p99"],
    async measure() {
      const bare = measureBareSqlite(directory, bareMs);
      const { running, token, tenantId, objectType, ids } = platform;
      const base = new URL(`/v4/data/resources/${tenantId}/${objectType}`, running.url);
      const headers = [
        `authorization: Bearer ${token}`,
        "content-type: application/json",
        "accept: application/json",
      ];
      const gets = ids.map((id) =>
        wireRequest("GET", new URL(`${base.href}/${id}`), headers, "", 200),
      );
      const list = wireRequest("GET", new URL(`${base.href}?limit=20`), headers, "", 200);
      const create = (index: number): WireRequest =>
        wireRequest("POST", base, headers, JSON.stringify(recordData(recordCount + index)), 201);
      return [
        await atCeiling(directory),
        row("bare SQLite, get by key, in process", bare.gets),
        await over("svc, get by id", base, (index) => gets[(index * 7919) % gets.length] ?? list),
        row("bare SQLite, list of 20, in process", bare.lists),
        await over("svc, list of 20", base, () => list),
        row("bare SQLite, create, one synced transaction each", bare.creates),
        row("bare SQLite, create, 64 in each transaction", bare.groupedCreates),
        await over("svc, durable create", base, create),
      ];
    },
  };
}

/** An empty Bun server under the same load: what is left for a platform on this machine. */
async function atCeiling(directory: string): Promise<Row> {
  const hello = join(directory, "hello");
  await compile("scripts/bench/hello.ts", hello);
  const child = Bun.spawn([hello], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const { value } = await child.stdout.getReader().read();
    const url = new URL(new TextDecoder().decode(value).trim());
    const request = wireRequest("GET", url, [], "", 200);
    return await over("empty Bun server", url, () => request);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
}

async function over(name: string, url: URL, request: (index: number) => WireRequest): Promise<Row> {
  let sent = 0;
  const next = (): WireRequest => {
    sent += 1;
    return request(sent);
  };
  await load(url, { connections: connectionCount, durationMs: warmUpMs, request: next });
  const result = await load(url, {
    connections: connectionCount,
    durationMs,
    request: next,
  });
  return row(name, result.perSecond, result.latenciesMs);
}

function row(name: string, rate: number, latenciesMs?: readonly number[]): Row {
  const times =
    latenciesMs === undefined
      ? ["", ""]
      : [0.5, 0.99].map((share) => milliseconds(percentile(latenciesMs, share)));
  return { name, figures: [perSecond(rate), ...times] };
}
