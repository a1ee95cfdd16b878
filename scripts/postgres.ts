import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { memoryFolder } from "./memory-folder.ts";
import { asAccount, freePort, serverAccount, type Account } from "./server-program.ts";

/** A throw-away PostgreSQL server; stop it, or its directory and process stay. */
export interface PostgresCluster {
  /** Makes an empty database, or a copy of another, and returns its `postgres://` URL. */
  createDatabase(name: string, template?: string): Promise<string>;
  urlOf(database: string): string;
  dropDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
  /** The server's; its children serve the connections. */
  readonly pid: number;
}

const superuser = "svc";
const startTimeoutMs = 30_000;
const portAttempts = 3;

/**
 * Where `initdb` and `postgres` lie: Debian keeps the newest of several versions outside
 * PATH. `undefined` where no server is installed; a client alone is not one.
 */
export async function findPostgres(): Promise<string | undefined> {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? await readdir(root) : [];
  const folders = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, "bin"));
  const onPath = (Bun.env["PATH"] ?? "").split(":").filter((folder) => folder !== "");
  return [...folders, ...onPath].find(
    (folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")),
  );
}

export interface PostgresOptions {
  /** Syncs and vacuums as a real server does, for benchmarks; the default is fast, not durable. */
  readonly isDurable?: boolean;
  /** Keeps the cluster here, also after `stop`; a cluster that is in it is started again. */
  readonly directory?: string;
  /** The port to listen on; a free one without. */
  readonly port?: number;
  /** Further settings of the server, e.g. of its archive. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Makes a cluster in a temporary directory and starts it on a free loopback port, without
 * durability unless it is asked for: it lives for one run. Its collation is a natural language's,
 * so that SQL which forgot to ask for byte order is caught. `folder` is what `findPostgres`
 * answered.
 */
export async function startPostgres(
  folder: string,
  options: PostgresOptions = {},
): Promise<PostgresCluster> {
  const account = await serverAccount();
  // Another account may be unable to reach a private TMPDIR.
  const disk = account === undefined ? tmpdir() : "/tmp";
  const base = options.isDurable === true ? disk : ((await memoryFolder()) ?? disk);
  const directory = options.directory ?? (await mkdtemp(join(base, "svc-postgres-")));
  const passwordFile = join(directory, "password");
  try {
    if (!existsSync(passwordFile)) {
      await initialise(folder, directory, account, options.isDurable === true);
    }
    const password = await Bun.file(passwordFile).text();
    const isKept = options.directory !== undefined;
    // A server that was killed leaves it.
    if (isKept) await rm(join(directory, "data/postmaster.pid"), { force: true });
    return await start({ ...options, folder, directory, password, account, isKept });
  } catch (error) {
    if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

interface Start extends PostgresOptions {
  readonly folder: string;
  readonly directory: string;
  readonly password: string;
  readonly account: Account | undefined;
  readonly isKept: boolean;
}

async function initialise(
  folder: string,
  directory: string,
  account: Account | undefined,
  isDurable: boolean,
): Promise<void> {
  if (account !== undefined) await chown(directory, account.uid, account.gid);
  const passwordFile = join(directory, "password");
  await writeFile(passwordFile, crypto.randomUUID(), { mode: 0o600 });
  if (account !== undefined) await chown(passwordFile, account.uid, account.gid);
  const common = [
    join(folder, "initdb"),
    `--pgdata=${join(directory, "data")}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    // SCRAM takes 8 ms of processor time for each connection, and a run of tests makes thousands.
    // A role with a password in SCRAM signs in with it all the same.
    `--auth=${isDurable ? "scram-sha-256" : "md5"}`,
    "--encoding=UTF8",
    "--no-sync",
    "--no-instructions",
  ];
  const attempts = [
    [...common, "--locale-provider=icu", "--icu-locale=en-US", "--locale=C.UTF-8"],
    [...common, "--locale=C.UTF-8"],
  ];
  let failure = "";
  for (const command of attempts) {
    const result = Bun.spawnSync(asAccount(account, command), { cwd: directory, stdin: "ignore" });
    if (result.exitCode === 0) return;
    failure = result.stderr.toString().trim();
    await rm(join(directory, "data"), { recursive: true, force: true });
  }
  throw new Error(`initdb could not make a cluster: ${failure}`);
}

async function start(options: Start): Promise<PostgresCluster> {
  const { directory, password, account } = options;
  const sockets = join(directory, "sockets");
  await mkdir(sockets, { recursive: true });
  if (account !== undefined) await chown(sockets, account.uid, account.gid);
  let failure = "";
  for (let attempt = 0; attempt < portAttempts; attempt += 1) {
    const port = options.port ?? (await freePort());
    const url = (database: string): string =>
      `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;
    const server = Bun.spawn(asAccount(account, serverCommand(options, port)), {
      cwd: directory,
      stdin: "ignore",
      stdout: "ignore",
      stderr: Bun.file(join(directory, "server.log")),
    });
    const admin = await connect(url("postgres"), server);
    if (admin === undefined) {
      failure = (await Bun.file(join(directory, "server.log")).text()).trim();
      continue;
    }
    return {
      urlOf: url,
      async createDatabase(name, template = "template1") {
        // Copied files cost half of what copied pages do, which also go through the log.
        await admin.unsafe(`create database "${name}" template "${template}" strategy file_copy`);
        return url(name);
      },
      async dropDatabase(name) {
        await admin.unsafe(`drop database if exists "${name}" with (force)`);
      },
      async stop() {
        await admin.close({ timeout: 1 }).catch(() => {});
        // An immediate shutdown: nothing in it is to be kept.
        server.kill("SIGQUIT");
        await server.exited;
        if (!options.isKept) await rm(directory, { recursive: true, force: true });
      },
      pid: server.pid,
    };
  }
  throw new Error(`PostgreSQL did not start: ${failure}`);
}

function serverCommand(
  { folder, directory, isDurable, settings: further }: Start,
  port: number,
): string[] {
  const durability = isDurable === true ? "on" : "off";
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: join(directory, "sockets"),
    max_connections: 300,
    shared_buffers: "128MB",
    fsync: durability,
    synchronous_commit: durability,
    full_page_writes: durability,
    autovacuum: durability,
    max_wal_size: isDurable === true ? "4GB" : "1GB",
    ...(isDurable === true ? {} : { wal_level: "minimal", max_wal_senders: 0 }),
    timezone: "UTC",
    password_encryption: "scram-sha-256",
    ...further,
  };
  return [
    join(folder, "postgres"),
    "-D",
    join(directory, "data"),
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
}

/** A connection once the server answers; `undefined` when it ended instead, say on a taken port. */
async function connect(
  url: string,
  server: Bun.Subprocess<"ignore", "ignore", Bun.BunFile>,
): Promise<SQL | undefined> {
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline && server.exitCode === null) {
    const admin = new SQL(url, { max: 2, connectionTimeout: 2 });
    try {
      await admin`select 1`;
      return admin;
    } catch {
      await admin.close().catch(() => {});
      await Bun.sleep(25);
    }
  }
  server.kill("SIGKILL");
  await server.exited;
  return undefined;
}
