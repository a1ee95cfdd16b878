import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SQL } from "bun";
import { freePort } from "../../server-program.ts";
import { serverFolder, startServer } from "../server.ts";

export type PoolMode = "session" | "transaction" | "statement";

export interface Bouncer extends AsyncDisposable {
  /** The URL of the database through the pooler. */
  readonly url: string;
  /** The number of connections that its clients have open. */
  clients(): Promise<number>;
  /** Ends the pooler and all its connections, and starts it again on the same port. */
  restart(): Promise<void>;
}

/** Starts PgBouncer in front of a database; `settings` are further lines of its file. */
export async function startBouncer(
  directory: string,
  databaseUrl: string,
  mode: PoolMode,
  settings = "",
): Promise<Bouncer> {
  await serverFolder(directory);
  const server = new URL(databaseUrl);
  const port = await freePort();
  const users = join(directory, "users.txt");
  const file = join(directory, "pgbouncer.ini");
  await writeFile(users, `"${server.username}" "${server.password}"\n`);
  await writeFile(
    file,
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
admin_users = ${server.username}
pool_mode = ${mode}
max_client_conn = 500
default_pool_size = 100
${settings}
`,
  );
  // A folder of this account that the pooler's account reads.
  await Promise.all([users, file].map((path) => chmod(path, 0o644)));
  const start = () => startServer({ command: ["pgbouncer", file], directory, port });
  let running = await start();
  const url = new URL(databaseUrl);
  url.port = String(port);
  const console = new URL("/pgbouncer", url);
  return {
    url: url.href,
    async clients() {
      await using admin = new SQL(console.href, { max: 1 });
      const clients: { database: string }[] = await admin.unsafe("show clients");
      return clients.filter(({ database }) => database !== "pgbouncer").length;
    },
    async restart() {
      // PgBouncer ends at once on SIGTERM, as a crash would.
      await running.stop();
      running = await start();
    },
    [Symbol.asyncDispose]: () => running.stop(),
  };
}
