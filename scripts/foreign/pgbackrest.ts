import { chown, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SQL } from "bun";
import { DrillSession, memberOf } from "#test/support/drills/session.ts";
import { startPlatformProcess } from "#test/support/platform-process.ts";
import { S3Server } from "#test/support/s3/server.ts";
import { finished } from "../build/finished.ts";
import { findPostgres, startPostgres, type PostgresCluster } from "../postgres.ts";
import { asAccount, serverAccount } from "../server-program.ts";
import { programOf } from "../tools.ts";
import type { Counterpart, ForeignPlace } from "./counterpart.ts";

const columns = [
  "records",
  "lost",
  "later",
  "files lost",
  "from versions",
  "leases kept",
  "epoch kept",
];
const recordsEach = 200;
/** The archive has a piece of the log at least each so many seconds. */
const archiveSeconds = 10;

/** PostgreSQL at a moment, as Debian's pgBackRest and `docs/backups.md` restore it. */
export const pgbackrest: Counterpart = {
  name: "pgbackrest",
  about: "a PostgreSQL platform restored to a moment by pgBackRest and svc serve settle",
  tools: [
    { name: "PostgreSQL server", debianPackage: "postgresql", find: findPostgres },
    programOf("pgbackrest", "pgbackrest"),
  ],
  async run(place) {
    const { figures, failures } = await drill(place).catch((error: unknown) => ({
      figures: ["failed"],
      failures: [error instanceof Error ? error.message : String(error)],
    }));
    return [{ name: "pgBackRest", columns, rows: [{ name: "a moment", figures }], failures }];
  },
};

async function drill(place: ForeignPlace) {
  const folder = await findPostgres();
  if (folder === undefined) throw new Error("there is no PostgreSQL server here");
  const server = await ArchivedServer.make(folder, join(place.directory, "cluster"));
  const store = S3Server.start({ directory: join(place.directory, "bucket") });
  store.bucket().isVersioned = true;
  const drilled = { ...place, store };
  try {
    const written = await writeAround(drilled, server);
    await server.goBack(new Date(written.wishMs));
    return await compare(drilled, server, written);
  } finally {
    await server.stop();
    await store.down();
  }
}

/** The place with the store of the files, a bucket that keeps versions. */
interface DrilledPlace extends ForeignPlace {
  readonly store: S3Server;
}

/** A cluster whose log pgBackRest archives. */
class ArchivedServer {
  #cluster: PostgresCluster | undefined;

  private constructor(
    private readonly folder: string,
    private readonly directory: string,
  ) {}

  static async make(folder: string, directory: string): Promise<ArchivedServer> {
    const server = new ArchivedServer(folder, directory);
    const account = await serverAccount();
    for (const each of [directory, join(directory, "repository")]) {
      await mkdir(each, { recursive: true });
      if (account !== undefined) await chown(each, account.uid, account.gid);
    }
    const { port } = await server.start();
    const configuration = `[global]
repo1-path=${join(directory, "repository")}
start-fast=y
log-path=${join(directory, "repository")}
lock-path=${join(directory, "repository/lock")}
[svc]
pg1-path=${join(directory, "data")}
pg1-port=${port}
pg1-socket-path=${join(directory, "sockets")}
pg1-user=svc
`;
    await writeFile(server.#configuration, configuration, { mode: 0o644 });
    return server;
  }

  get #configuration(): string {
    return join(this.directory, "pgbackrest.conf");
  }

  async start(port?: number): Promise<{ readonly port: number }> {
    const archive = `pgbackrest --config=${this.#configuration} --stanza=svc archive-push %p`;
    this.#cluster = await startPostgres(this.folder, {
      isDurable: true,
      directory: this.directory,
      ...(port !== undefined && { port }),
      settings: {
        archive_mode: "on",
        archive_timeout: `${archiveSeconds}s`,
        archive_command: archive,
      },
    });
    return { port: Number(new URL(this.#cluster.urlOf("svc")).port) };
  }

  async stop(): Promise<void> {
    await this.#cluster?.stop();
    this.#cluster = undefined;
  }

  async createDatabase(): Promise<string> {
    return (await this.#cluster?.createDatabase("svc")) ?? "";
  }

  get url(): string {
    return this.#cluster?.urlOf("svc") ?? "";
  }

  /** Runs pgBackRest with the words of `docs/backups.md`. */
  async backup(...words: readonly string[]): Promise<void> {
    const password = await readFile(join(this.directory, "password"), "utf8");
    const command = ["pgbackrest", `--config=${this.#configuration}`, "--stanza=svc", ...words];
    const child = Bun.spawn(asAccount(await serverAccount(), command), {
      cwd: this.directory,
      env: { ...process.env, PGPASSWORD: password },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const { stdout, stderr, exitCode } = await finished(child);
    if (exitCode !== 0) throw new Error(`pgbackrest ${words.join(" ")}: ${stdout}${stderr}`);
  }

  async goBack(to: Date): Promise<void> {
    const { port } = new URL(this.url);
    await this.stop();
    const target = to.toISOString().replace("T", " ").replace("Z", "+00");
    await this.backup(
      "--delta",
      "--type=time",
      `--target=${target}`,
      "--target-action=promote",
      "restore",
    );
    await this.start(Number(port));
    await this.#promoted();
  }

  async #promoted(): Promise<void> {
    const sql = new SQL(this.url, { max: 1 });
    try {
      for (let look = 0; look < 600; look += 1) {
        const [row] = await sql`select pg_is_in_recovery() as recovers`;
        if (row.recovers === false) return;
        await Bun.sleep(100);
      }
      throw new Error("the restored server did not end its recovery");
    } finally {
      await sql.close();
    }
  }
}

interface Written {
  readonly wishMs: number;
  /** Texts of documents by their ids, as they were at the moment. */
  readonly documents: ReadonlyMap<string, string>;
  readonly before: readonly string[];
  readonly later: readonly string[];
  readonly token: string;
  readonly session: DrillSession;
  readonly epoch: string;
}

const drawing = "A drawing.\n".repeat(1_000);

function platformOf(place: DrilledPlace, dataDir: string, args: readonly string[]) {
  const { executable, directory: home } = place;
  const env = { SVC_KEY_FILE: join(home, "svc.key"), ...storeKeys(place) };
  const all = [...args, filesWord(place)];
  return startPlatformProcess({ executable, dataDir, home, args: all, env });
}

function filesWord({ store: { endpoint, region } }: DrilledPlace): string {
  return `--files-url=s3://files/svc?endpoint=${endpoint}&region=${region}`;
}

function storeKeys({ store: { accessKeyId, secretAccessKey } }: DrilledPlace) {
  return { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey };
}

function backupWords({ directory }: ForeignPlace): string[] {
  return [`--backup-key-file=${join(directory, "backup.key")}`];
}

/** Writes before and after a moment, with a backup of files and one of pgBackRest before. */
async function writeAround(place: DrilledPlace, server: ArchivedServer): Promise<Written> {
  const url = await server.createDatabase();
  await server.backup("stanza-create");
  const to = [`--backup-to=${join(place.directory, "files")}`, "--backup-every=5s"];
  const database = [`--database-url=${url}`];
  const dataDir = join(place.directory, "data");
  const first = await platformOf(place, dataDir, [...database, ...to, ...backupWords(place)]);
  const whole = await DrillSession.create(first);
  const application = await whole.makeApplication();
  await server.backup("backup");
  const before = await records(whole);
  const documents = new Map([await uploaded(whole, application, drawing)]);
  // The next backup of files has it, and is the last one.
  await Bun.sleep(8_000);
  await first.stop();
  const platform = await platformOf(place, dataDir, database);
  const session = whole.at(platform);
  const late = await uploaded(session, application, `${drawing}Drawn after the last backup.`);
  documents.set(...late);
  documents.set(...(await uploaded(session, application, `${drawing}Another one.`)));
  const epoch = await epochOf(url);
  const sql = new SQL(url, { max: 1 });
  // The job of the upload, as if its platform were running it.
  await sql`update jobs set lease_until = '2999', claimed_by = 'gone' where kind <> 'schedule'`;
  if ((await leasesOf(url)) === 0) throw new Error("there is no lease to drop");
  await Bun.sleep(100);
  const wishMs = Date.now();
  await Bun.sleep(1_500);
  const later = await records(session);
  for (const id of documents.keys()) {
    await session.expect(200, "DELETE", `/v4/data/documents/records/${id}?permanent=true`);
  }
  await uploaded(session, application, `${drawing}Drawn after the moment.`);
  await removed(place, documents.size);
  await sql`select pg_switch_wal()`;
  await sql.close();
  place.note("written; the server goes back");
  await Bun.sleep(2_000);
  const token = await platform.token();
  await platform.kill();
  return { wishMs, before, later, token, session, documents, epoch };
}

/** Uploads a document; returns its id and its text. */
async function uploaded(
  session: DrillSession,
  application: string,
  text: string,
): Promise<[string, string]> {
  const { json } = await session.upload(application, text);
  return [String(memberOf(json, "documentId") ?? memberOf(json, "id")), text];
}

/** Waits until the bucket has removed so many objects. */
async function removed({ store }: DrilledPlace, count: number): Promise<void> {
  const marks = () =>
    [...store.bucket().versions.values()].filter(([newest]) => newest?.object === undefined);
  for (let look = 0; look < 300; look += 1) {
    if (marks().length >= count) return;
    await Bun.sleep(100);
  }
  throw new Error("the removed files stay in the bucket");
}

async function records(session: DrillSession): Promise<string[]> {
  const ids: string[] = [];
  for (let count = 0; count < recordsEach; count += 1) {
    const { json } = await session.expect(201, "POST", "", { marker: "moment", count });
    ids.push(String(memberOf(json, "id")));
  }
  return ids;
}

async function epochOf(url: string): Promise<string> {
  const sql = new SQL(url, { max: 1 });
  try {
    const [row] = await sql`select epoch from feed_epochs`;
    return String(row?.epoch);
  } finally {
    await sql.close();
  }
}

async function compare(place: DrilledPlace, server: ArchivedServer, written: Written) {
  const failures: string[] = [];
  const dataDir = join(place.directory, "restored");
  await mkdir(dataDir);
  const words = [
    `--from=${join(place.directory, "files")}`,
    ...backupWords(place),
    `--database-url=${server.url}`,
    `--data-dir=${dataDir}`,
    `--key-file=${join(place.directory, "svc.key")}`,
    filesWord(place),
    "--format=json",
  ];
  const child = Bun.spawn([place.executable, "serve", "settle", ...words], {
    env: { ...process.env, ...storeKeys(place) },
    stdout: "pipe",
    stderr: "pipe",
  });
  const { stdout, stderr, exitCode } = await finished(child);
  if (exitCode !== 0) throw new Error(`svc serve settle: ${stdout}${stderr}`);
  const settled: { readonly lost: number; readonly fromVersions: number } = JSON.parse(stdout);
  const leases = await leasesOf(server.url);
  await using platform = await platformOf(place, dataDir, [`--database-url=${server.url}`]);
  const session = written.session.at(platform);
  const found = async (ids: readonly string[]): Promise<number> => {
    const answers = await Promise.all(ids.map((id) => session.call("GET", `/${id}`)));
    return answers.filter(({ status }) => status === 200).length;
  };
  const lost = written.before.length - (await found(written.before));
  const later = await found(written.later);
  const damaged = await damagedIn(session, written.documents);
  const kept = (await epochOf(server.url)) === written.epoch;
  if (lost > 0) failures.push(`${lost} records from before the moment are lost`);
  if (later > 0) failures.push(`${later} records from after the moment are there`);
  if (settled.lost > 0 || damaged > 0) failures.push("a file is lost");
  if (settled.fromVersions < written.documents.size) failures.push("a version was not used");
  if (kept) failures.push("the feed has the epoch from before");
  if (leases > 0) failures.push(`${leases} leases were kept`);
  const figures = [
    written.before.length,
    lost,
    later,
    settled.lost + damaged,
    settled.fromVersions,
    leases,
    kept ? "yes" : "no",
  ].map(String);
  return { figures, failures };
}

/** How many documents have another content than at the moment. */
async function damagedIn(
  session: DrillSession,
  documents: ReadonlyMap<string, string>,
): Promise<number> {
  let damaged = 0;
  for (const [id, text] of documents) {
    const found = await session.content(id).catch(() => undefined);
    if (found !== text) damaged += 1;
  }
  return damaged;
}

async function leasesOf(url: string): Promise<number> {
  const sql = new SQL(url, { max: 1 });
  try {
    const [row] = await sql`select count(*) as leases from jobs where lease_until is not null`;
    return Number(row?.leases);
  } finally {
    await sql.close();
  }
}
