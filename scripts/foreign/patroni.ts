import { join } from "node:path";
import type { Row } from "../bench/figures.ts";
import { findPostgres } from "../postgres.ts";
import { programOf } from "../tools.ts";
import type { Counterpart, ForeignPlace } from "./counterpart.ts";
import { startCluster, type Cluster } from "./patroni/cluster.ts";
import { startPlatforms } from "./platforms.ts";
import { workInWorkspaces } from "./work.ts";

/** The events that make the other server the leader, and how long callers work around each. */
const events = {
  "switchover by its operator": {
    durationMs: 20_000,
    happen: (cluster: Cluster) => cluster.switchOver(),
  },
  "leader killed (-9)": { durationMs: 45_000, happen: (cluster: Cluster) => cluster.killLeader() },
} as const;

const platformCounts = [1, 3];
const beforeMs = 4_000;

/** PostgreSQL with a standby that takes over, as Debian's Patroni, etcd and HAProxy run it. */
export const patroni: Counterpart = {
  name: "patroni",
  about: "lost writes and exits when PostgreSQL fails over to its standby",
  tools: [
    { name: "PostgreSQL server", debianPackage: "postgresql", find: findPostgres },
    programOf("patroni", "patroni"),
    programOf("etcd", "etcd-server"),
    programOf("haproxy", "haproxy"),
  ],
  async run(place) {
    const rows: Row[] = [];
    const failures: string[] = [];
    await using cluster = await startCluster(join(place.directory, "patroni"));
    for (const [event, { durationMs, happen }] of Object.entries(events)) {
      for (const platforms of platformCounts) {
        const name = `${event}, ${platforms} ${platforms === 1 ? "platform" : "platforms"}`;
        const label = `patroni_${rows.length}`;
        const cell = { place, cluster, platforms, label, durationMs, happen };
        const { figures, faults } = await failOver(cell).catch((error: unknown) => ({
          figures: ["failed"],
          faults: [error instanceof Error ? error.message : String(error)],
        }));
        place.note(`${name}: ${figures.join(", ")}`);
        rows.push({ name, figures });
        failures.push(...faults.map((fault) => `${name}: ${fault}`));
      }
    }
    return [{ name: "Patroni", columns, rows, failures }];
  },
};

const columns = ["answered", "refused", "lost", "wrong scope", "exits", "without a write"];

interface Cell {
  readonly place: ForeignPlace;
  readonly cluster: Cluster;
  readonly platforms: number;
  readonly label: string;
  readonly durationMs: number;
  readonly happen: (cluster: Cluster) => Promise<void>;
}

async function failOver(cell: Cell): Promise<{ figures: string[]; faults: string[] }> {
  const { place, cluster, label, durationMs } = cell;
  const databaseUrl = await cluster.createDatabase(label);
  const count = cell.platforms;
  await using platforms = await startPlatforms(place, label, { count, databaseUrl });
  const { clients } = platforms;
  const happening = Bun.sleep(beforeMs).then(() => cell.happen(cluster));
  const load = { platforms: clients, workspaces: 3, callersOfEach: 5, durationMs };
  const [work] = await Promise.all([workInWorkspaces(load), happening]);
  const { answered, refused, lost, foreign, longestGapMs } = work;
  const exits = platforms.exits();
  const counts = [answered, refused, lost, foreign, exits].map((each) => each.toLocaleString("en"));
  const faults = [
    lost > 0 && `${lost} acknowledged records are missing`,
    foreign > 0 && `${foreign} answers had a record of another workspace`,
    exits > 0 && `${exits} platforms ended`,
    longestGapMs > durationMs - beforeMs * 2 && "writes did not continue after the failover",
  ].filter((fault) => fault !== false);
  return { figures: [...counts, `${(longestGapMs / 1000).toFixed(1)} s`], faults };
}
