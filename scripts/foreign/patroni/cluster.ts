import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SQL } from "bun";
import { findPostgres } from "../../postgres.ts";
import { freePort } from "../../server-program.ts";
import { serverFolder, startServer, type ForeignServer } from "../server.ts";

/** Two PostgreSQL servers that Patroni keeps in step, and HAProxy, which finds the leader. */
export interface Cluster extends AsyncDisposable {
  /** The URL of a new database on the leader. */
  createDatabase(name: string): Promise<string>;
  /** Makes the other server the leader, as an operator does. */
  switchOver(): Promise<void>;
  /** Kills the leader's Patroni and PostgreSQL, and starts them again once the other one leads. */
  killLeader(): Promise<void>;
}

interface Member {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  readonly rest: number;
  server: ForeignServer;
}

const password = "of-this-run-only";
const electionLimitMs = 90_000;

export async function startCluster(directory: string): Promise<Cluster> {
  const stack = new AsyncDisposableStack();
  try {
    const etcd = await startEtcd(join(directory, "etcd"), stack);
    const members: Member[] = [];
    for (const name of ["one", "two"]) {
      members.push(await startMember(name, join(directory, name), etcd));
      await until(async () => (await leaderOf(members)) !== undefined);
    }
    stack.defer(async () => {
      await Promise.all(members.map(({ server }) => server.stop()));
    });
    await until(() => isInStep(members));
    const port = await startBalancer(join(directory, "haproxy"), members, stack);
    return clusterOf(members, port, stack);
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

function clusterOf(members: readonly Member[], port: number, stack: AsyncDisposableStack): Cluster {
  const url = (database: string): string =>
    `postgres://svc:${password}@127.0.0.1:${port}/${database}`;
  const otherLeads = (old: Member): Promise<void> =>
    until(async () => {
      const leader = await leaderOf(members);
      return leader !== undefined && leader !== old;
    });
  return {
    async createDatabase(name) {
      await using admin = new SQL(url("postgres"), { max: 1 });
      await until(() =>
        admin.unsafe(`create database "${name}" template template0 encoding 'UTF8'`).then(
          () => true,
          () => false,
        ),
      );
      return url(name);
    },
    async switchOver() {
      const old = await requiredLeader(members);
      const candidate = members.find((each) => each !== old)?.name;
      await fetch(`http://127.0.0.1:${old.rest}/switchover`, {
        method: "POST",
        body: JSON.stringify({ leader: old.name, candidate }),
      });
      await otherLeads(old);
      await until(() => isInStep(members));
    },
    async killLeader() {
      const old = await requiredLeader(members);
      const postmaster = (await Bun.file(join(old.folder, "data/postmaster.pid")).text()).split(
        "\n",
      );
      await old.server.stop("SIGKILL");
      process.kill(Number(postmaster[0]), "SIGKILL");
      await otherLeads(old);
      old.server = await runMember(old);
      await until(() => isInStep(members));
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function startEtcd(directory: string, stack: AsyncDisposableStack): Promise<number> {
  const [port, peer] = [await freePort(), await freePort()];
  const [own, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peer}`];
  const command = [
    "etcd",
    `--data-dir=${join(directory, "data")}`,
    `--listen-client-urls=${own}`,
    `--advertise-client-urls=${own}`,
    `--listen-peer-urls=${peers}`,
    `--initial-advertise-peer-urls=${peers}`,
    `--initial-cluster=default=${peers}`,
  ];
  const server = stack.use(await startServer({ command, directory, port }));
  if (server.pid === 0) throw new Error("etcd has no process");
  return port;
}

async function startMember(name: string, folder: string, etcd: number): Promise<Member> {
  const [port, rest] = [await freePort(), await freePort()];
  await serverFolder(folder);
  const file = join(folder, "patroni.json");
  const bin = await findPostgres();
  const configuration = {
    scope: "svc",
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { host: `127.0.0.1:${etcd}`, protocol: "http" },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 3,
        // An acknowledged write is on both servers, so that the failover of one loses none.
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200 } },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "data-checksums"],
      pg_hba: [
        "host replication replicator 127.0.0.1/32 scram-sha-256",
        "host all all 127.0.0.1/32 scram-sha-256",
      ],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, "data"),
      bin_dir: bin,
      pgpass: join(folder, "pgpass"),
      parameters: { unix_socket_directories: folder },
      authentication: {
        superuser: { username: "svc", password },
        replication: { username: "replicator", password },
      },
    },
  };
  // Patroni reads YAML, of which JSON is a part.
  await writeFile(file, JSON.stringify(configuration));
  await chmod(file, 0o644);
  const place = { name, folder, port, rest };
  return { ...place, server: await runMember(place) };
}

function runMember({ folder, rest }: Pick<Member, "folder" | "rest">): Promise<ForeignServer> {
  const command = ["patroni", join(folder, "patroni.json")];
  return startServer({ command, directory: folder, port: rest });
}

async function startBalancer(
  directory: string,
  members: readonly Member[],
  stack: AsyncDisposableStack,
): Promise<number> {
  const port = await freePort();
  await serverFolder(directory);
  const servers = members.map(
    (each) => `  server ${each.name} 127.0.0.1:${each.port} check port ${each.rest}`,
  );
  const file = join(directory, "haproxy.cfg");
  await writeFile(
    file,
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen leader
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join("\n")}
`,
  );
  await chmod(file, 0o644);
  stack.use(await startServer({ command: ["haproxy", "-db", "-f", file], directory, port }));
  return port;
}

async function leaderOf(members: readonly Member[]): Promise<Member | undefined> {
  for (const each of members) {
    const status = await statusOf(each, "primary");
    if (status === 200) return each;
  }
  return undefined;
}

async function requiredLeader(members: readonly Member[]): Promise<Member> {
  const leader = await leaderOf(members);
  if (leader === undefined) throw new Error("no server leads");
  return leader;
}

/** Whether one server leads and the other one confirms its commits. */
async function isInStep(members: readonly Member[]): Promise<boolean> {
  const leads = await Promise.all(members.map((each) => statusOf(each, "primary")));
  const confirms = await Promise.all(members.map((each) => statusOf(each, "synchronous")));
  return leads.includes(200) && confirms.includes(200);
}

function statusOf({ rest }: Member, path: string): Promise<number> {
  return fetch(`http://127.0.0.1:${rest}/${path}`).then(
    ({ status }) => status,
    () => 0,
  );
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + electionLimitMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error("Patroni has no leader in step");
    await Bun.sleep(200);
  }
}
