import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "#client/index.ts";
import { findPostgres, startPostgres } from "../postgres.ts";
import { mebibytes, milliseconds, percentile, renderGroup, type Row } from "./figures.ts";
import { authorizeAddress, FormBrowser } from "#test/server/domains/sign-in/form-browser.ts";
import type { HostileOrder, HostileRequest } from "./hostile-caller.ts";
import { load, wireRequest, type WireRequest } from "./load.ts";
import { preparePlatform, recordData, type BenchPlatform } from "./platform.ts";
import { forgetPeak, peakBytes, untilIdle } from "#test/support/process-use.ts";

const victims = 50;
const victimRequestsPerSecond = 500;
const warmUpMs = 2_000;

/** The limits that a row is held to. */
const goalP99Ms = 50;
const goalPeakMiB = 600;

const largeRecords = 100;
const largeTextBytes = 900_000;
const searchedRecords = 5_000;

/**
 * `npm run bench -- hostile`: 50 callers get, list and create in one workspace, 500 times per
 * second, while a caller of another workspace does its worst. Each answer has to come; its time
 * counts from its turn. The first row has no hostile caller.
 */
export async function benchHostileTenant(directory: string, durationMs: number): Promise<void> {
  await measureEngine("SQLite", join(directory, "hostile-sqlite"), durationMs, []);
  const folder = await findPostgres();
  if (folder === undefined) return console.log("PostgreSQL: there is no server here");
  const cluster = await startPostgres(folder);
  try {
    const url = await cluster.createDatabase("hostile");
    const place = join(directory, "hostile-postgresql");
    await measureEngine("PostgreSQL", place, durationMs, [`--database-url=${url}`]);
  } finally {
    await cluster.stop();
  }
}

async function measureEngine(
  name: string,
  directory: string,
  durationMs: number,
  args: string[],
): Promise<void> {
  await mkdir(directory);
  const platform = await preparePlatform(directory, args);
  try {
    const attacks = await prepareHostile(platform);
    const rows: Row[] = [await measured(platform, "no hostile caller", undefined, durationMs)];
    for (const [title, order] of Object.entries(attacks)) {
      rows.push(await measured(platform, title, order, durationMs));
      await untilIdle(platform.running.pid);
    }
    const goal = `p99 < ${goalP99Ms} ms, ${goalPeakMiB} MiB`;
    const columns = ["p50", "p99", "answers", "lost", "peak memory", goal];
    const title = `${name}: ${victims} callers next to one hostile workspace`;
    console.log(`\n${renderGroup({ name: title, columns }, rows)}\n`);
  } finally {
    await platform.running.stop();
  }
}

async function measured(
  platform: BenchPlatform,
  name: string,
  order: HostileOrder | undefined,
  durationMs: number,
): Promise<Row> {
  const { pid, url } = platform.running;
  const request = victimRequests(platform);
  const hostile =
    order &&
    Bun.spawn([process.execPath, join(import.meta.dirname, "hostile-caller.ts")], {
      env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: "2000" },
      stdin: new Blob([JSON.stringify(order)]),
      stdout: "ignore",
      stderr: "inherit",
    });
  try {
    await forgetPeak(pid);
    const options = { connections: victims, perSecond: victimRequestsPerSecond, isPatient: true };
    await load(new URL(url), { ...options, durationMs: warmUpMs, request });
    const { latenciesMs, lost } = await load(new URL(url), { ...options, durationMs, request });
    const p99 = percentile(latenciesMs, 0.99);
    const peak = (await peakBytes(pid)) ?? Number.NaN;
    const holds = p99 < goalP99Ms && peak < goalPeakMiB * 1024 * 1024 && lost === 0;
    const times = [percentile(latenciesMs, 0.5), p99].map(milliseconds);
    const counts = [latenciesMs.length, lost].map((count) => count.toLocaleString("en"));
    const row = { name, figures: [...times, ...counts, mebibytes(peak), holds ? "yes" : "no"] };
    console.error(`  ${row.name}: ${row.figures.join(", ")}`);
    return row;
  } finally {
    hostile?.kill("SIGKILL");
    await hostile?.exited;
  }
}

/** Six gets, three lists and one durable create of ten. */
function victimRequests(platform: BenchPlatform): (index: number) => WireRequest {
  const { running, token, tenantId, objectType, ids } = platform;
  const records = `${running.url}/v4/data/resources/${tenantId}/${objectType}`;
  const headers = [`authorization: Bearer ${token}`, "content-type: application/json"];
  return (index) => {
    if (index % 10 === 9) {
      const body = JSON.stringify(recordData(1_000_000 + index));
      return wireRequest("POST", new URL(records), headers, body, 201);
    }
    if (index % 10 > 5) return wireRequest("GET", new URL(`${records}?limit=20`), headers, "", 200);
    const id = ids[(index * 7919) % ids.length] ?? "";
    return wireRequest("GET", new URL(`${records}/${id}`), headers, "", 200);
  };
}

/** Another workspace with large records, hard patterns and texts to search, and what it asks. */
async function prepareHostile({
  client,
  running,
}: BenchPlatform): Promise<Readonly<Record<string, HostileOrder>>> {
  const { id: tenantId } = await client.workspaces.createRoot({
    body: { displayName: "Hostile", slug: "hostile", homeRegion: "eu" },
  });
  const own = client.forTenant(tenantId);
  const { token } = await own.keys.create({
    params: { tenantId },
    body: { name: "Hostile", role: "tenant-builder" },
  });
  if (token === undefined) throw new Error("the key has no token");
  const properties = {
    note: { type: "text", searchable: true },
    blob: { type: "text" },
    area: { type: "integer" },
    code: { type: "text", pattern: "[ab]*a[ab]{200}c" },
  } as const;
  await own.objectTypes.create({ body: { name: "Hostile", slug: "hostile", properties } });
  await fill(own);
  const { id: application } = await own.useResources("hostile").create({ area: 1 });
  const base = `${running.url}/v4/data/resources/${tenantId}`;
  const code = Array.from({ length: 40_000 }, (_, at) => ((at * 7919) % 13 < 6 ? "a" : "b")).join(
    "",
  );
  const get = (path: string) => ({ method: "GET", url: `${base}/${path}` }) as const;
  const post = (path: string, body: unknown) =>
    ({ method: "POST", url: `${base}/${path}`, body: JSON.stringify(body) }) as const;
  const contains = encodeURIComponent(JSON.stringify({ note: { $contains: "no such words" } }));
  return {
    "400 records of 900 kB in a page, 16 at once": {
      connections: 16,
      token,
      requests: [get("hostile?limit=400")],
    },
    "batches of 6 MB for a hard pattern, 16 at once": {
      connections: 16,
      token,
      requests: [
        post("hostile/batch/create", { items: Array.from({ length: 150 }, () => ({ code })) }),
      ],
    },
    "searches, 1,000 at once": {
      connections: 1_000,
      token,
      requests: words.map((word) => post("search", { query: `${word} statement`, limit: 50 })),
    },
    "sorts, filters and aggregates without an index, 64 at once": {
      connections: 64,
      token,
      requests: [
        get("hostile?sort=-area&limit=100"),
        get(`hostile?where=${contains}&limit=100`),
        post("hostile/aggregate", {
          groupBy: ["area"],
          metrics: { total: { op: "sum", field: "area" } },
        }),
      ],
    },
    "documents of 1 MB to extract and index, 16 at once": {
      connections: 16,
      token,
      requests: [uploadOf(`${running.url}/v4/data/documents/upload`, tenantId, application)],
    },
    "wrong passwords, 64 at once": {
      connections: 64,
      token,
      requests: [await signInOf(running.url)],
    },
  };
}

/** A text of 1 MB, each time another one. */
function uploadOf(url: string, tenantId: string, application: string): HostileRequest {
  const boundary = "a-boundary";
  const fields = {
    tenant_id: tenantId,
    storage_target: "resourceapi",
    processing_mode: "full",
    planning_application_id: application,
  };
  const line = `The ${words.join(" and the ")} are in this statement.\n`;
  const parts = [
    ...Object.entries(fields).map(
      ([name, value]) => `content-disposition: form-data; name="${name}"\r\n\r\n${value}`,
    ),
    `content-disposition: form-data; name="files"; filename="a.txt"\r\n` +
      `content-type: text/plain\r\n\r\n{number}\n${line.repeat(1_000_000 / line.length)}`,
  ];
  const body = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--\r\n`;
  const headers = {
    "content-type": `multipart/form-data; boundary=${boundary}`,
    "x-tenant-id": tenantId,
  };
  return { method: "POST", url, body, headers };
}

/** The form of a sign-in page with a wrong password. */
async function signInOf(base: string): Promise<HostileRequest> {
  let sent: HostileRequest | undefined;
  const browser = new FormBrowser(base, async (request) => {
    const { method, url } = request;
    const headers = Object.fromEntries(request.headers);
    if (method === "GET") return fetch(url, { headers, redirect: "manual" });
    const body = await request.text();
    sent = { method: "POST", url, headers, body };
    return fetch(url, { method, headers, body, redirect: "manual" });
  });
  await browser.visit(authorizeAddress());
  const { status } = await browser.press("sign-in", { email: "a@example.org", password: "wrong" });
  if (sent === undefined || status !== 401) {
    throw new Error(`a wrong password is answered with ${status}`);
  }
  return sent;
}

const words = ["quay", "station", "granary", "orchard", "harbour", "mill", "kiln", "church"];

async function fill(own: Client): Promise<void> {
  const records = own.useResources("hostile");
  for (let at = 0; at < searchedRecords; at += 100) {
    const items = Array.from({ length: 100 }, (_, index) => ({
      note: `${words.join(" ")} statement ${words[(at + index) % words.length] ?? ""} ${at + index}`,
      area: (at + index) % 997,
    }));
    await records.batchCreate(items);
  }
  for (let at = 0; at < largeRecords; at += 1) {
    await records.create({ blob: String(at).padEnd(largeTextBytes, "x") });
  }
}
