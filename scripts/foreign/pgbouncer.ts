import { join } from "node:path";
import { SQL } from "bun";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import type { Row } from "../bench/figures.ts";
import { findPostgres, startPostgres, type PostgresCluster } from "../postgres.ts";
import { programOf } from "../tools.ts";
import type { Counterpart, ForeignPlace, ForeignTable } from "./counterpart.ts";
import { startBouncer, type Bouncer, type PoolMode } from "./pgbouncer/bouncer.ts";
import { statementsInScopes, type ScopeResult } from "./pgbouncer/scopes.ts";
import { startPlatforms, type Platforms } from "./platforms.ts";
import { workInWorkspaces, type WorkResult } from "./work.ts";

type Way = "direct" | PoolMode;

const ways: readonly Way[] = ["direct", "session", "transaction", "statement"];
const platformCounts = [1, 3];
const workMs = 6_000;
const connectionsOfEach = 20;

/** PgBouncer in each of its modes, in front of one and of three platforms. */
export const pgbouncer: Counterpart = {
  name: "pgbouncer",
  about: "isolation, lost writes and exits with PgBouncer in every mode",
  tools: [
    { name: "PostgreSQL server", debianPackage: "postgresql", find: findPostgres },
    programOf("pgbouncer", "pgbouncer"),
  ],
  async run(place) {
    const folder = await findPostgres();
    if (folder === undefined) throw new Error("there is no PostgreSQL server");
    const cluster = await startPostgres(folder);
    try {
      const rows: Row[] = [];
      const failures: string[] = [];
      for (const way of ways) {
        for (const platforms of platformCounts) {
          const name = `${way}, ${platforms} ${platforms === 1 ? "platform" : "platforms"}`;
          const { figures, faults } = await tryCell({ way, platforms, cluster, place, name });
          place.note(`${name}: ${figures.join(", ")}`);
          rows.push({ name, figures });
          failures.push(...faults.map((fault) => `${name}: ${fault}`));
        }
      }
      return [{ name: "PgBouncer", columns, rows, failures } satisfies ForeignTable];
    } finally {
      await cluster.stop();
    }
  },
};

const columns = [
  "answered",
  "refused",
  "lost",
  "wrong scope",
  "statements",
  "wrong scope",
  "exits",
  "connections",
];

interface Cell {
  readonly way: Way;
  readonly platforms: number;
  readonly cluster: PostgresCluster;
  readonly place: ForeignPlace;
  readonly name: string;
}

interface Outcome {
  readonly figures: readonly string[];
  readonly faults: readonly string[];
}

async function tryCell(cell: Cell): Promise<Outcome> {
  const { way, platforms, cluster, place, name } = cell;
  const label = name.replaceAll(/[^a-z0-9]+/g, "_");
  const direct = await cluster.createDatabase(label);
  const directory = join(place.directory, label);
  const bouncer =
    way === "direct" ? undefined : await startBouncer(join(directory, "pooler"), direct, way);
  try {
    const start = () =>
      startPlatforms(place, label, { count: platforms, databaseUrl: bouncer?.url ?? direct });
    if (way === "statement") return await refusal(start);
    await using started = await start();
    return await underLoad(started, bouncer, direct);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { figures: ["failed"], faults: [reason] };
  } finally {
    await bouncer?.[Symbol.asyncDispose]();
    await cluster.dropDatabase(label);
  }
}

/** A mode that cannot keep a scope: the start says what PgBouncer needs. */
async function refusal(start: () => Promise<Platforms>): Promise<Outcome> {
  try {
    await using _started = await start();
    return { figures: ["started"], faults: ["the platform starts, and cannot keep a scope"] };
  } catch (error) {
    const isHelpful = String(error).includes("pool_mode = transaction");
    const faults = isHelpful ? [] : ["the start does not name the setting that PgBouncer needs"];
    return { figures: [isHelpful ? "refused at start" : "failed"], faults };
  }
}

async function underLoad(
  platforms: Platforms,
  bouncer: Bouncer | undefined,
  direct: string,
): Promise<Outcome> {
  const { clients } = platforms;
  const counting = countConnections(direct, bouncer);
  const ending = bouncer && Bun.sleep(workMs / 2).then(() => bouncer.restart());
  const load = { platforms: clients, workspaces: 6, callersOfEach: 10, durationMs: workMs };
  const work = await workInWorkspaces(load);
  await ending;
  const connections = await counting.stop();
  const database = await openPlatformDatabase({ url: bouncer?.url ?? direct });
  const scopes = await statementsInScopes(database, { scopes: 40, rounds: 12 });
  await database.close();
  const exits = platforms.exits();
  return outcome(work, scopes, { exits, connections, platforms: clients.length });
}

function outcome(
  { answered, refused, lost, foreign }: WorkResult,
  scopes: ScopeResult,
  {
    exits,
    connections,
    platforms,
  }: Readonly<Record<"exits" | "connections" | "platforms", number>>,
): Outcome {
  const figures = [
    answered,
    refused,
    lost,
    foreign,
    scopes.statements,
    scopes.foreign,
    exits,
    connections,
  ];
  const most = connectionsOfEach * platforms;
  const faults = [
    lost > 0 && `${lost} acknowledged records are missing`,
    foreign > 0 && `${foreign} answers had a record of another workspace`,
    scopes.foreign > 0 && `${scopes.foreign} statements ran in another scope`,
    exits > 0 && `${exits} platforms ended`,
    connections > most && `${connections} connections were open, at most ${most} are allowed`,
    answered === 0 && "no request was answered",
  ].filter((fault) => fault !== false);
  return { figures: figures.map((figure) => figure.toLocaleString("en")), faults };
}

/** The most connections that the platforms have open at one moment. */
function countConnections(
  direct: string,
  bouncer: Bouncer | undefined,
): { stop(): Promise<number> } {
  const admin = new SQL(direct, { max: 1, connection: { application_name: "foreign" } });
  let most = 0;
  let isOver = false;
  const count = async (): Promise<number> => {
    if (bouncer !== undefined) return bouncer.clients();
    const [row]: { count: number }[] = await admin.unsafe(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and application_name = 'svc'`,
    );
    return row?.count ?? 0;
  };
  const counting = (async () => {
    while (!isOver) {
      // Nothing answers while the pooler restarts.
      most = Math.max(most, await count().catch(() => 0));
      await Bun.sleep(100);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await counting;
      await admin.close();
      return most;
    },
  };
}
