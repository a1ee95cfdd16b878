import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { findPostgres, startPostgres, type PostgresCluster } from "../../scripts/postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Unix socket of the server that hands out databases; see `createTestDatabase`. */
    databaseSocket: string;
    /** Whether this machine has a PostgreSQL server at all. */
    postgresInstalled: boolean;
  }
}

/**
 * Once a run: a temporary directory that everything else is made in, and one PostgreSQL
 * cluster, which starts only when the first test file asks for a database.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "svc-run-"));
  const outerTmpdir = process.env["TMPDIR"];
  process.env["TMPDIR"] = directory;
  const folder = await findPostgres();
  const databases = serveDatabases(join(directory, "databases.sock"), folder);
  project.provide("databaseSocket", join(directory, "databases.sock"));
  project.provide("postgresInstalled", folder !== undefined);

  return async () => {
    await databases.stop();
    const left = await readdir(directory);
    await rm(directory, { recursive: true, force: true });
    if (outerTmpdir === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = outerTmpdir;
    if (left.length > 0) {
      throw new Error(`tests left ${left.length} things behind, the first is ${left[0]}`);
    }
  };
}

/** `POST` makes an empty database and answers its name and URL; `DELETE ?name=` drops it. */
function serveDatabases(socket: string, folder: string | undefined): { stop(): Promise<void> } {
  let cluster: Promise<PostgresCluster> | undefined;
  let count = 0;
  const server = Bun.serve({
    unix: socket,
    async fetch(request) {
      if (folder === undefined) return new Response("PostgreSQL is not installed", { status: 503 });
      cluster ??= startPostgres(folder);
      try {
        const running = await cluster;
        if (request.method === "DELETE") {
          await running.dropDatabase(new URL(request.url).searchParams.get("name") ?? "");
          return new Response(null, { status: 204 });
        }
        count += 1;
        const name = `svc_test_${count}`;
        return Response.json({ name, url: await running.createDatabase(name) });
      } catch (error) {
        return new Response(error instanceof Error ? error.message : String(error), {
          status: 500,
        });
      }
    },
  });
  return {
    async stop() {
      await server.stop(true);
      const running = await cluster?.catch(() => undefined);
      await running?.stop();
      await rm(socket, { force: true });
    },
  };
}
