import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { SQL } from "bun";
import { findPostgres, startPostgres } from "../postgres.ts";
import { measureBare } from "./data/bare.ts";
import { dataColumns, verdict } from "./data/goals.ts";
import { fill, measureOverHttp, type DataTimes } from "./data/over-http.ts";
import { startDataPlatform } from "./data/platform.ts";
import { measureSelection } from "./data/selection.ts";
import { mebibytes, renderGroup, type Row } from "./figures.ts";
import { processMemory, untilIdle } from "#test/support/process-use.ts";

/** The engines, in the order of their measurements. */
export const engines = ["bare", "sqlite", "postgresql"] as const;
export type Engine = (typeof engines)[number];

export interface DataOptions {
  /** Records of the large workspace, which is one of a hundred. */
  readonly records: number;
  readonly engines: readonly Engine[];
  /** Whether a text of each record is in the full text, which is most of the work of making it. */
  readonly isSearched: boolean;
  /** Whether only reads of parts of records and rights of fields are measured. */
  readonly isSelection: boolean;
}

const memoryGoalMiB = 250;
const times: DataTimes = { durationMs: 4_000, longMs: 5_000 };

/**
 * `npm run bench -- data`: every kind of request on a large table, over HTTP on the built program,
 * on both databases, with SQLite alone on the same records as the baseline.
 */
export async function benchData(directory: string, options: DataOptions): Promise<void> {
  for (const engine of options.engines) {
    const place = join(directory, engine);
    await mkdir(place);
    const rows: Row[] = [];
    const onRow = (row: Row): void => {
      rows.push(row);
      console.error(`  ${row.name}: ${row.figures.filter((figure) => figure !== "").join(", ")}`);
    };
    const name = `${titles[engine]}, ${options.records.toLocaleString("en")} records`;
    console.error(name);
    if (engine === "bare") await measureBare(place, options.records, times, onRow);
    else if (engine === "sqlite") await measurePlatform(place, [], options, onRow);
    else await measureOnPostgresql(place, options, onRow);
    console.log(`\n${renderGroup({ name, columns: dataColumns }, rows)}\n`);
    await rm(place, { recursive: true, force: true });
  }
}

const titles: Readonly<Record<Engine, string>> = {
  bare: "bare SQLite in process",
  sqlite: "svc on SQLite over HTTP",
  postgresql: "svc on PostgreSQL over HTTP",
};

async function measureOnPostgresql(
  directory: string,
  options: DataOptions,
  onRow: (row: Row) => void,
): Promise<void> {
  const folder = await findPostgres();
  if (folder === undefined) throw new Error("there is no PostgreSQL server here; try --engine");
  const cluster = await startPostgres(folder, { isDurable: true });
  try {
    const url = await cluster.createDatabase("bench");
    await measurePlatform(directory, [`--database-url=${url}`], options, onRow, async () => {
      // The server itself does this within a minute.
      await using sql = new SQL(url, { max: 1 });
      await sql.unsafe("vacuum analyze");
    });
  } finally {
    await cluster.stop();
  }
}

async function measurePlatform(
  directory: string,
  args: readonly string[],
  options: DataOptions,
  onRow: (row: Row) => void,
  settle = async (): Promise<void> => {},
): Promise<void> {
  const platform = await startDataPlatform(directory, args, options.isSearched);
  try {
    const { row, ids } = await fill(platform, options.records);
    onRow(row);
    await settle();
    await untilIdle(platform.running.pid);
    if (!options.isSelection) await measureOverHttp(platform, ids, times, onRow);
    await measureSelection(platform, ids, times, onRow);
    const { own, resident, peak } = await processMemory(platform.running.pid);
    const reached = verdict(`< ${memoryGoalMiB} MiB`, own < memoryGoalMiB * 1024 * 1024);
    onRow({ name: "private memory", figures: [mebibytes(own), "", "", "", reached] });
    const mapped = "with the mapped database, now and at its peak";
    onRow({ name: mapped, figures: [mebibytes(resident), "", mebibytes(peak), "", ""] });
  } finally {
    await platform.running.stop();
  }
}
