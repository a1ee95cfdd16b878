import { existsSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { startPlatformProcess, type RunningPlatform } from "#test/support/platform-process.ts";
import { finished } from "../build/finished.ts";
import { findPostgres, startPostgres, type PostgresCluster } from "../postgres.ts";
import type { Counterpart, ForeignPlace } from "./counterpart.ts";
import { GeoCaller, type GeoAnswer } from "./postgis/geo-work.ts";

/** How a database has PostGIS. */
interface Setting {
  readonly name: string;
  /** Statements of the server's administrator before the first start. */
  readonly statements: readonly string[];
  /** Whether the platform's role owns the database and is no superuser. */
  readonly hasOwner?: boolean;
}

const inGis = ["create schema gis", "create extension postgis schema gis"];
const settings: readonly Setting[] = [
  { name: "in public", statements: ["create extension postgis"] },
  {
    name: "in public, with topology",
    statements: ["create extension postgis", "create extension postgis_topology"],
  },
  { name: "in gis, which public precedes", statements: [...inGis, searchPath("public, gis")] },
  { name: "in gis, which precedes public", statements: [...inGis, searchPath("gis, public")] },
  {
    name: "in public, its owner is no superuser",
    statements: ["create extension postgis"],
    hasOwner: true,
  },
];

const columns = ["equal answers", "doctor", "restored", "moved to SQLite", "moved back"];

/** Platforms on databases that have PostGIS, next to one on a plain database. */
export const postgis: Counterpart = {
  name: "postgis",
  about: "a platform's places on databases that have PostGIS: its answers, doctor, move and backup",
  tools: [
    { name: "PostgreSQL server", debianPackage: "postgresql", find: findPostgres },
    { name: "PostGIS", debianPackage: "postgresql-postgis", find: findPostgis },
  ],
  async run(place) {
    const folder = await findPostgres();
    if (folder === undefined) throw new Error("there is no PostgreSQL server here");
    // The doctor reports a server that may lose writes.
    const cluster = await startPostgres(folder, { isDurable: true });
    const failures: string[] = [];
    try {
      const url = await cluster.createDatabase("plain");
      const expected = await new Platforms(place, "plain").with(url, async (platform) =>
        (await GeoCaller.create(platform)).answers(),
      );
      const rows = [];
      for (const [at, setting] of settings.entries()) {
        const figures = await tried({ place, cluster, expected, failures }, `place_${at}`, setting);
        rows.push({ name: setting.name, figures });
      }
      return [{ name: "PostGIS", columns, rows, failures }];
    } finally {
      await cluster.stop();
    }
  },
};

/** The extension's file next to the server that is found. */
async function findPostgis(): Promise<string | undefined> {
  const server = await findPostgres();
  const version = server?.split("/").at(-2) ?? "";
  const file = `/usr/share/postgresql/${version}/extension/postgis.control`;
  return existsSync(file) ? file : undefined;
}

function searchPath(schemas: string): string {
  return `do $$ begin execute format('alter database %I set search_path = ${schemas}',
    current_database()); end $$`;
}

interface Trial {
  readonly place: ForeignPlace;
  readonly cluster: PostgresCluster;
  readonly expected: readonly GeoAnswer[];
  readonly failures: string[];
}

async function tried(trial: Trial, name: string, setting: Setting): Promise<readonly string[]> {
  const { place, expected, failures } = trial;
  place.note(setting.name);
  const figures: string[] = [];
  const compare = (answers: readonly GeoAnswer[], when: string): void => {
    const others = answers.filter(({ text }, at) => text !== expected[at]?.text);
    for (const each of others) failures.push(`${setting.name}: ${each.name} differs ${when}`);
    figures.push(`${answers.length - others.length} of ${expected.length}`);
  };
  try {
    const url = await prepared(trial, name, setting);
    const own = new Platforms(place, name);
    const caller = await own.with(url, async (platform) => {
      const made = await GeoCaller.create(platform);
      compare(await made.answers(), "from that on a plain database");
      await own.command(["serve", "backup", "take", ...own.words(url), ...own.backup("--to")]);
      return made;
    });
    const again = async (from: Platforms, database: string | undefined, when: string) =>
      from.with(database, async (platform) => {
        compare(await (await caller.at(platform)).answers(), when);
      });
    await own.command(["serve", "doctor", ...own.words(url)]);
    figures.push("no findings");
    const other = await prepared(trial, `${name}_restored`, setting);
    const restored = own.sibling("restored");
    const words = [...restored.words(other), ...own.backup("--from")];
    await own.command(["serve", "restore", ...words]);
    await again(restored, other, "after a restore");
    const moved = own.sibling("moved");
    const sqlite = ["--to", `sqlite:${moved.dataDir}`, "--data-dir", own.dataDir];
    await own.command(["serve", "move", "--from", url, ...sqlite]);
    await again(moved, undefined, "after a move to SQLite");
    const back = own.sibling("back");
    const last = await prepared(trial, `${name}_back`, setting);
    const target = ["--to", last, "--data-dir", back.dataDir];
    await own.command(["serve", "move", "--from", `sqlite:${moved.dataDir}`, ...target]);
    await again(back, last, "after a move back");
  } catch (error) {
    failures.push(`${setting.name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return figures;
}

/** Makes a database with PostGIS; returns its URL. */
async function prepared(
  { cluster }: Trial,
  name: string,
  { statements, hasOwner = false }: Setting,
): Promise<string> {
  const url = await cluster.createDatabase(name);
  await using sql = new SQL(url, { max: 1 });
  for (const statement of statements) await sql.unsafe(statement);
  if (!hasOwner) return url;
  const password = crypto.randomUUID();
  // The administrator does what `docs/platform.md` asks for an owner that is no superuser.
  await sql.unsafe(`create role "${name}" login password '${password}'`);
  await sql.unsafe(`grant svc_application to "${name}"`);
  await sql.unsafe(`alter database "${name}" owner to "${name}"`);
  const owned = new URL(url);
  [owned.username, owned.password] = [name, password];
  return owned.href;
}

/** Platforms of one data directory, all of whose relatives have one key file. */
class Platforms {
  readonly dataDir: string;

  constructor(
    private readonly place: ForeignPlace,
    private readonly name: string,
    suffix: string = "",
  ) {
    this.dataDir = join(place.directory, `${name}${suffix}`);
  }

  sibling(suffix: string): Platforms {
    return new Platforms(this.place, this.name, `_${suffix}`);
  }

  get #keyFile(): string {
    return join(this.place.directory, `${this.name}.key`);
  }

  /** The options that name its data. */
  words(databaseUrl: string): readonly string[] {
    const places = [`--data-dir=${this.dataDir}`, `--database-url=${databaseUrl}`];
    return [...places, `--key-file=${this.#keyFile}`];
  }

  /** The options that name the place of backups. */
  backup(option: "--to" | "--from"): readonly string[] {
    const { directory } = this.place;
    const key = `--backup-key-file=${join(directory, `${this.name}.backup.key`)}`;
    return [`${option}=${join(directory, `${this.name}_backups`)}`, key];
  }

  async with<Result>(
    databaseUrl: string | undefined,
    work: (platform: RunningPlatform) => Promise<Result>,
  ): Promise<Result> {
    const { executable, directory: home } = this.place;
    const args = databaseUrl === undefined ? [] : [`--database-url=${databaseUrl}`];
    const env = { SVC_KEY_FILE: this.#keyFile };
    const { dataDir } = this;
    await using platform = await startPlatformProcess({ executable, dataDir, home, args, env });
    return await work(platform);
  }

  async command(words: readonly string[]): Promise<void> {
    const child = Bun.spawn([this.place.executable, ...words], {
      cwd: this.place.directory,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const { stdout, stderr, exitCode } = await finished(child);
    if (exitCode !== 0) throw new Error(`svc ${words.slice(0, 3).join(" ")}: ${stdout}${stderr}`);
  }
}
