import { createServer } from "node:net";
import { join } from "node:path";
import { createClient } from "#client/index.ts";
import { startPlatformProcess, type RunningPlatform } from "#test/support/platform-process.ts";
import { repository } from "../build/executable.ts";
import { findPostgres, startPostgres } from "../postgres.ts";
import { programOf } from "../tools.ts";
import type { Counterpart, ForeignPlace, ForeignTable } from "./counterpart.ts";
import { callUntil, type LoadResult } from "./balancers/load.ts";
import { startServer } from "./server.ts";

const platformCount = 3;
const callers = 16;
const drainDelaySeconds = 3;
/** Time after a start in which a proxy takes the platform back; nginx waits for 5 s. */
const settleMs = 6_000;

interface Proxy {
  readonly name: string;
  /** The language of its block in the page of docs. */
  readonly block: string;
  /** A configuration file for the block, which listens as this account may. */
  fileOf(block: string, directory: string): string;
  commandOf(file: string): readonly string[];
}

const proxies: readonly Proxy[] = [
  {
    name: "haproxy",
    block: "haproxy",
    fileOf: (block) => block,
    commandOf: (file) => ["haproxy", "-db", "-f", file],
  },
  {
    name: "nginx",
    block: "nginx",
    fileOf: (block, directory) => `
      daemon off;
      pid ${directory}/nginx.pid;
      error_log stderr;
      events {}
      http {
        access_log off;
        ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
          .map((name) => `${name}_temp_path ${directory}/${name};`)
          .join("\n")}
        ${block}
      }`,
    commandOf: (file) => ["nginx", "-e", "stderr", "-c", file],
  },
  {
    name: "caddy",
    block: "caddy",
    fileOf: (block) => `{\n  admin off\n}\n${block}`,
    commandOf: (file) => ["caddy", "run", "--adapter", "caddyfile", "--config", file],
  },
];

/** A rolling restart of platforms with each proxy, as the page of docs configures it. */
export const balancers: readonly Counterpart[] = proxies.map((proxy) => ({
  name: proxy.name,
  about: `errors that callers see in a rolling restart with ${proxy.name}`,
  tools: [
    { name: "PostgreSQL server", debianPackage: "postgresql", find: findPostgres },
    programOf(proxy.name, proxy.name),
  ],
  run: (place) => rollingRestart(proxy, place),
}));

async function rollingRestart(proxy: Proxy, place: ForeignPlace): Promise<ForeignTable[]> {
  const folder = await findPostgres();
  if (folder === undefined) throw new Error("there is no PostgreSQL server");
  const cluster = await startPostgres(folder);
  const running: RunningPlatform[] = [];
  try {
    const database = await cluster.createDatabase("balanced");
    const port = await freePort();
    const ports = await Promise.all(Array.from({ length: platformCount }, freePort));
    const baseUrl = `http://127.0.0.1:${port}`;
    const start = async (at: number): Promise<void> => {
      running[at] = await startPlatformProcess({
        executable: place.executable,
        dataDir: join(place.directory, `platform-${at}`),
        home: place.directory,
        port: ports[at] ?? 0,
        args: [
          `--database-url=${database}`,
          `--base-url=${baseUrl}`,
          "--trusted-proxy=127.0.0.1",
          `--drain-delay=${drainDelaySeconds}`,
        ],
        env: { SVC_KEY_FILE: join(place.directory, "svc.key") },
      });
    };
    for (let at = 0; at < platformCount; at += 1) await start(at);
    await using server = await startProxy(proxy, place, port, ports);
    const result = await underLoad(baseUrl, running, start, place);
    const failures = result.failures.slice(0, 5).map((failure) => `a request failed: ${failure}`);
    if (result.answered === 0) failures.push(`no request was answered: ${await server.log()}`);
    const figures = [`${result.answered}`, `${result.failures.length}`, `${result.slowestMs} ms`];
    const rows = [{ name: `${proxy.name}, ${platformCount} restarts`, figures }];
    return [{ name: proxy.name, columns: ["answered", "failed", "slowest"], rows, failures }];
  } finally {
    await Promise.all(running.map((each) => each.stop()));
    await cluster.stop();
  }
}

async function startProxy(proxy: Proxy, place: ForeignPlace, port: number, ports: number[]) {
  const directory = join(place.directory, proxy.name);
  const page = await Bun.file(join(repository, "docs/balancer.md")).text();
  const block = new RegExp(`\`\`\`${proxy.block}\n([^]*?)\`\`\``).exec(page)?.[1];
  if (block === undefined) throw new Error(`docs/balancer.md has no block for ${proxy.name}`);
  const local = block
    .replaceAll("8080", String(port))
    .replaceAll(/10\.0\.0\.1(\d):4400/g, (_, at) => `127.0.0.1:${ports[Number(at) - 1]}`);
  const file = join(place.directory, `${proxy.name}.conf`);
  await Bun.write(file, proxy.fileOf(local, directory));
  return startServer({ command: proxy.commandOf(file), directory, port });
}

/** Restarts each platform in turn, as the page of docs says, while callers read and write. */
async function underLoad(
  baseUrl: string,
  running: RunningPlatform[],
  start: (at: number) => Promise<void>,
  place: ForeignPlace,
): Promise<LoadResult> {
  const token = await running[0]?.token();
  if (token === undefined) throw new Error("there is no platform");
  const client = createClient({ baseUrl, token });
  const { id } = await client.workspaces.createRoot({
    body: { displayName: "Balanced", slug: "balanced", homeRegion: "eu" },
  });
  await client
    .forTenant(id)
    .objectTypes.create({ body: { name: "Note", slug: "note", properties: {} } });
  const stopping = new AbortController();
  const result: LoadResult = { answered: 0, failures: [], slowestMs: 0 };
  const url = `${baseUrl}/v4/data/resources/${id}/note`;
  const load = Array.from({ length: callers }, () =>
    callUntil(stopping.signal, { url, token, result }),
  );
  for (const [at, platform] of running.entries()) {
    place.note(`restarts platform ${at + 1}, after ${result.answered} requests`);
    await platform.stop();
    await start(at);
    await Bun.sleep(settleMs);
  }
  stopping.abort();
  await Promise.all(load);
  return result;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
