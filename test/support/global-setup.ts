import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { compile, executable, refreshExecutable } from "../../scripts/build/executable.ts";
import { buildLibrary } from "../../scripts/build/library.ts";
import { memoryFolder } from "../../scripts/memory-folder.ts";
import { findPostgres, startPostgres, type PostgresCluster } from "../../scripts/postgres.ts";
import { findChromium } from "../../scripts/tools.ts";
import { announcedBuild } from "./announced-build.ts";
import { storeSampleData } from "./sample-data.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Unix socket of the server that makes what a run shares; see `askRun`. */
    runSocket: string;
    /** Whether this machine has a PostgreSQL server at all. */
    postgresInstalled: boolean;
    /** Path of a Chromium or Chrome; null where there is none. */
    chromiumPath: string | null;
  }
}

/**
 * Seconds that a silent connection is kept: a build on a busy machine takes longer than ten. As an
 * object, since the types know no such setting for a socket, which heeds it all the same.
 */
const patience: object = { idleTimeout: 255 };

/**
 * Once a run: a temporary directory that everything else is made in, and what all test files
 * share, made when the first one asks: the executable of the present sources, a PostgreSQL.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join((await memoryFolder()) ?? tmpdir(), "svc-run-"));
  const outerTmpdir = process.env["TMPDIR"];
  process.env["TMPDIR"] = directory;
  const socket = join(directory, "run.sock");
  const dashboard = join(directory, "dashboard");
  const library = join(directory, "library");
  const samples = join(directory, "samples");
  const postgresFolder = await findPostgres();
  const shared = serveShared({ socket, dashboard, library, samples, postgresFolder });
  project.provide("runSocket", socket);
  project.provide("postgresInstalled", postgresFolder !== undefined);
  project.provide("chromiumPath", (await findChromium()) ?? null);

  return async () => {
    await shared.stop();
    const left = await readdir(directory);
    await rm(directory, { recursive: true, force: true });
    if (outerTmpdir === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = outerTmpdir;
    if (left.length > 0) {
      throw new Error(`tests left ${left.length} files or databases, the first is ${left[0]}`);
    }
  };
}

/**
 * `POST /executable` answers the path of an executable of the present sources, `POST /library` that
 * of the library, `POST /dashboard` that of the dashboard with a fake platform, which starts three
 * times as fast compiled; `POST /samples` that of a data directory with the sample data;
 * `POST /databases` makes an empty PostgreSQL database, or a copy of the one that `?template=`
 * names; `DELETE /databases/{name}` drops it.
 */
function serveShared({
  socket,
  dashboard,
  library,
  samples,
  postgresFolder,
}: {
  readonly socket: string;
  readonly dashboard: string;
  readonly library: string;
  readonly samples: string;
  readonly postgresFolder: string | undefined;
}): { stop(): Promise<void> } {
  let cluster: Promise<PostgresCluster> | undefined;
  let built: Promise<void> | undefined;
  let compiled: Promise<void> | undefined;
  let declared: Promise<void> | undefined;
  let stored: Promise<void> | undefined;
  let count = 0;
  const running = (): Promise<PostgresCluster> => {
    if (postgresFolder === undefined) throw new Error("no PostgreSQL server is installed");
    cluster ??= startPostgres(postgresFolder);
    return cluster;
  };
  const build = (): Promise<void> => (built ??= announcedBuild() ?? refreshExecutable());
  const server = Bun.serve({
    ...patience,
    unix: socket,
    error: (error) => new Response(error.message, { status: 500 }),
    routes: {
      "/executable": {
        async POST() {
          await build();
          return Response.json({ path: executable });
        },
      },
      "/dashboard": {
        async POST() {
          compiled ??= compile("test/ui/support/dashboard-program.ts", dashboard);
          await compiled;
          return Response.json({ path: dashboard });
        },
      },
      "/library": {
        async POST() {
          declared ??= buildLibrary(library);
          await declared;
          return Response.json({ path: library });
        },
      },
      "/samples": {
        async POST() {
          stored ??= build().then(() => storeSampleData(executable, samples));
          await stored;
          return Response.json({ path: samples });
        },
      },
      "/databases": {
        async POST({ url }) {
          count += 1;
          const name = `svc_test_${count}`;
          const template = new URL(url).searchParams.get("template") ?? undefined;
          const made = await (await running()).createDatabase(name, template);
          return Response.json({ name, url: made });
        },
      },
      "/databases/:name": {
        async DELETE(request) {
          await (await running()).dropDatabase(request.params.name);
          return Response.json({});
        },
      },
    },
  });
  return {
    async stop() {
      await server.stop(true);
      await (await cluster?.catch(() => undefined))?.stop();
      await compiled?.catch(() => undefined);
      await declared?.catch(() => undefined);
      await stored?.catch(() => undefined);
      const made = [socket, dashboard, library, samples];
      await Promise.all(made.map((path) => rm(path, { recursive: true, force: true })));
    },
  };
}
