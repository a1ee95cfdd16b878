/**
 * `bun scripts/stored-data.ts COMMIT`: builds a commit in its own worktree, lets its platform store
 * data through the public routes, and keeps the data of each database with the recorded answers as
 * one file in test/server/schema/stored/<commit>. PostgreSQL with `pg_dump` must be installed.
 */
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { repository } from "./build/executable.ts";
import { finished } from "./build/finished.ts";
import { findPostgres, startPostgres } from "./postgres.ts";
import { makeArchives } from "./stored-data/archives.ts";
import { makeConversations, makeDocuments, makeModelAnswers } from "./stored-data/documents.ts";
import { makeEvents } from "./stored-data/events.ts";
import type { Issued } from "./stored-data/issued.ts";
import { makePeople } from "./stored-data/people.ts";
import { makePlaces } from "./stored-data/places.ts";
import { recordReads } from "./stored-data/reads.ts";
import { RecordedPlatform, runOn, type Place } from "./stored-data/recorded-platform.ts";
import { makeImport, makeRecords } from "./stored-data/records.ts";
import { makeWorkspaces } from "./stored-data/workspaces.ts";

const [commit] = Bun.argv.slice(2);
if (commit === undefined) throw new Error("expected a commit, such as 0903313a");
const directory = await mkdtemp(join(tmpdir(), "svc-stored-"));
const worktree = join(directory, "worktree");
try {
  const name = (await run(["git", "rev-parse", "--short=8", commit])).trim();
  await run(["git", "worktree", "add", "--detach", worktree, name]);
  await run(["node", "scripts/with-bun.mjs", "scripts/build.ts", "--when-stale"], worktree);
  const folder = join(repository, "test/server/schema/stored", name);
  await mkdir(folder, { recursive: true });
  await keepSqlite(folder);
  await keepPostgres(folder);
} finally {
  await run(["git", "worktree", "remove", "--force", worktree]).catch(() => undefined);
  await rm(directory, { recursive: true, force: true });
}

async function keepSqlite(folder: string): Promise<void> {
  const place = await placeOf("sqlite", undefined);
  const recorded = await recordData(place);
  await hideMachine(place);
  await keep(join(folder, "sqlite.tar.zst"), place, { "recorded.json": recorded });
}

async function keepPostgres(folder: string): Promise<void> {
  const installed = await findPostgres();
  if (installed === undefined) throw new Error("expected an installed PostgreSQL");
  const cluster = await startPostgres(installed);
  try {
    const url = await cluster.createDatabase("stored");
    const place = await placeOf("postgresql", url);
    const recorded = await recordData(place);
    await hideMachine(place);
    const options = ["--no-owner", "--no-privileges", "--rows-per-insert=100"];
    const text = await run([join(installed, "pg_dump"), ...options, url]);
    // Commands of psql itself, which newer versions write.
    const statements = text.replaceAll(/^\\.*\n|^--.*\n/gm, "");
    const files = { "recorded.json": recorded, "database.sql": statements };
    await keep(join(folder, "postgresql.tar.zst"), place, files);
  } finally {
    await cluster.stop();
  }
}

async function placeOf(name: string, databaseUrl: string | undefined): Promise<Place> {
  const home = join(directory, name);
  const dataDirectory = join(home, "data");
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  return { executable: join(worktree, "dist/svc"), home, dataDirectory, databaseUrl };
}

/** Makes the data in three starts, so that the answers come from what is stored. */
async function recordData(place: Place): Promise<string> {
  const made = await RecordedPlatform.run(place, ["--demo"], makeData);
  const { main, limited } = made.workspaces;
  await runOn(place, ["serve", "quota", "set", limited, "--records=5000", "--bytes=1G"]);
  await RecordedPlatform.runWithModels(place, (platform) => makeModelAnswers(platform, main));
  return await RecordedPlatform.run(place, [], async (platform) => {
    const reads = await recordReads(platform, made);
    const heads: Record<string, unknown> = {};
    for (const path of ["/v4/platform", `/v4/platform/tenants/${main}`]) {
      heads[path] = (await platform.call("GET", `${path}/audit/head`)).json;
    }
    return JSON.stringify({ at: new Date().toISOString(), issued: made, heads, reads });
  });
}

async function makeData(platform: RecordedPlatform): Promise<Issued> {
  const memberships = await platform.call("GET", "/v4/identity/tenants?limit=500");
  const ids = new Map(memberships.items("id", "slug").map(({ id, slug }) => [slug, id ?? ""]));
  const [council = "", main = "", limited = ""] = [
    "northwind-council",
    "planning",
    "licensing",
  ].map((slug) => ids.get(slug));
  const { key, ...people } = await makePeople(platform, { main, other: limited });
  const records = await makeRecords(platform, main);
  await makeDocuments(platform, main);
  await makeConversations(platform, main);
  const { app, deleted } = await makeWorkspaces(platform, { council, main });
  const imports = await makeFurther(platform, { council, main });
  const searches = [
    { query: "parking spaces Quay Street", finds: "24 parking spaces" },
    { query: "tide tables", finds: "tide tables" },
  ];
  const workspaces = { main, deleted, limited };
  return { people, key, ...records, app, imports, searches, workspaces };
}

/** Makes what the platforms of the first recorded commit do not know; returns paths of imports. */
async function makeFurther(
  platform: RecordedPlatform,
  workspaces: { readonly council: string; readonly main: string },
): Promise<string[]> {
  if (!("/v4/geo/datasets" in (await platform.routes()))) return [];
  const { main } = workspaces;
  await makeEvents(platform, main);
  return [
    await makeImport(platform, main),
    await makePlaces(platform, main),
    await makeArchives(platform, workspaces),
  ];
}

/** Replaces the machine's name and folder in what a job or a removal notes of its process. */
async function hideMachine({ dataDirectory, databaseUrl }: Place): Promise<void> {
  const url = databaseUrl ?? `sqlite://${join(dataDirectory, "svc.db")}`;
  await using sql = new SQL(url, { max: 1 });
  for (const table of ["jobs", "blob_removals", "workspace_purges"]) {
    await sql.unsafe(`update ${table} set claimed_by = 'stored' where claimed_by is not null`);
  }
  // The old values are still in free pages.
  await sql.unsafe("vacuum");
}

/** Writes the data directory and the files as one compressed archive. */
async function keep(
  path: string,
  { dataDirectory }: Place,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const contents: Record<string, string | Uint8Array> = { ...files };
  for (const name of await readdir(dataDirectory, { recursive: true, withFileTypes: true })) {
    const file = join(name.parentPath, name.name);
    if (!name.isFile() || name.name.endsWith(".lock")) continue;
    contents[`data/${file.slice(dataDirectory.length + 1)}`] = await Bun.file(file).bytes();
  }
  const archive = await new Bun.Archive(contents).bytes();
  const compressed = await Bun.zstdCompress(archive, { level: 19 });
  await writeFile(path, compressed);
  console.log(`svc: wrote ${path}, ${compressed.byteLength} bytes`);
}

async function run(command: readonly string[], cwd: string = repository): Promise<string> {
  const child = Bun.spawn([...command], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const { stdout, stderr, exitCode } = await finished(child);
  if (exitCode !== 0) throw new Error(`${command[0]} ended with ${exitCode}:\n${stdout}${stderr}`);
  return stdout;
}
