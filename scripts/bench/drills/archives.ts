import { join } from "node:path";
import { readdir } from "node:fs/promises";
import { userEnvironment } from "../../../test/support/environment.ts";
import {
  DrillSession,
  drillType,
  inTurns,
  memberOf,
} from "../../../test/support/drills/session.ts";
import {
  startPlatformProcess,
  type RunningPlatform,
} from "../../../test/support/platform-process.ts";
import { forgetPeak, peakBytes, watchPeak } from "../../../test/support/process-use.ts";
import { S3Server } from "../../../test/support/s3/server.ts";
import { executable } from "../../build/executable.ts";
import { finished } from "../../build/finished.ts";
import { findPostgres, startPostgres } from "../../postgres.ts";
import { mebibytes } from "../figures.ts";
import { recordsAtOnce, skippedDrill, type DrillResult, type FilledSize } from "./result.ts";

const writeEveryMs = 20;
/** Files and records of an imported workspace that are read one by one. */
const samples = 200;
/** The archive whose bits are flipped, and how many positions are tried. */
const small = { records: 300, files: 60 };
const flips = 200;
/** Each so many flipped archives are also imported. */
const importEvery = 25;
/** The usual and the longest content of files, and what they are taken from. */
const usualBytes = 60_000;
const largeBytes = 5_000_000;
const binaryBytes = 64_000_000;
const plansType = {
  name: "Plan",
  slug: "plan",
  properties: { marker: { type: "string", indexed: true }, plan: { type: "file" } },
};

/**
 * A workspace with records and files is exported from SQLite while a caller writes, imported into
 * PostgreSQL with an S3 store, exported there, and imported into SQLite. Each import is compared by
 * digests and by samples, and each flipped bit of an archive must be found.
 */
export async function drillArchives(directory: string, size: FilledSize): Promise<DrillResult> {
  const counts = `${size.records.toLocaleString("en")} records, ${size.files.toLocaleString("en")} files`;
  const name = `archives of ${counts} to PostgreSQL with S3 and back, ${flips} flipped bits`;
  const postgres = await findPostgres();
  if (postgres === undefined) return skippedDrill(name, "PostgreSQL is not installed");
  const cluster = await startPostgres(postgres, { isDurable: true });
  const store = S3Server.start({ directory: join(directory, "s3") });
  try {
    const drill = new ArchivesDrill(directory, size, await VariedBytes.read());
    const url = await cluster.createDatabase("archives");
    const { endpoint, region, accessKeyId, secretAccessKey } = store;
    const other = {
      args: [
        `--database-url=${url}`,
        `--files-url=s3://files/svc?endpoint=${endpoint}&region=${region}`,
      ],
      env: { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey },
    };
    await drill.inPlatform("SQLite", {}, async (platform) => {
      await drill.flipBits(platform, await drill.fill(platform, "small", small));
      await drill.export(platform, await drill.fill(platform, "large", size), "first");
    });
    await drill.inPlatform("PostgreSQL", other, async (platform) => {
      await drill.export(platform, await drill.import(platform, "first"), "second");
    });
    await drill.inPlatform("SQLite again", {}, async (platform) => {
      await drill.import(platform, "second");
    });
    return { name, acknowledged: drill.acknowledged, lost: 0, cells: 2 + flips };
  } finally {
    await store.down();
    await cluster.stop();
  }
}

interface PlatformParts {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A record with a file, and the digest of the file's bytes. */
interface SampledFile {
  readonly marker: string;
  readonly sha256: string;
}

class ArchivesDrill {
  /** Records and files that were answered with a success before an export. */
  acknowledged = 0;
  readonly #files: SampledFile[] = [];

  constructor(
    private readonly directory: string,
    private readonly size: FilledSize,
    private readonly bytes: VariedBytes,
  ) {}

  async inPlatform(
    name: string,
    { args = [], env = {} }: PlatformParts,
    work: (platform: RunningPlatform) => Promise<void>,
  ): Promise<void> {
    const home = this.directory;
    const dataDir = join(home, name.replaceAll(" ", "-"));
    const platform = await startPlatformProcess({ executable, dataDir, home, args, env });
    try {
      await work(platform);
    } finally {
      await platform.stop();
    }
  }

  /** Makes a workspace with records, of which some have a history, and with files. */
  async fill(platform: RunningPlatform, slug: string, size: FilledSize): Promise<DrillSession> {
    const session = await emptyWorkspace(platform, slug);
    for (const type of [drillType, plansType]) {
      await session.expect(201, "POST", "/v4/data/resources/object-types", type);
    }
    await inTurns(size.records / recordsAtOnce, async (turn) => {
      const items = Array.from({ length: Math.min(recordsAtOnce, size.records) }, (_, at) => ({
        marker: `record-${turn}-${at}`,
        count: turn,
        note: `Ärger über die Brücke ${at}: ${this.bytes.text(turn * recordsAtOnce + at, 200)}`,
      }));
      const { json } = await session.expect(200, "POST", "/batch/create", { items });
      const changed = idsIn(json).at(turn % recordsAtOnce);
      if (changed === undefined) return;
      await session.expect(200, "PATCH", `/${changed}`, {
        data: { note: "changed", count: turn + 1 },
      });
    });
    const application = await session.makeApplication();
    const isLarge = size === this.size;
    await inTurns(size.files, async (turn) => {
      const bytes = this.bytes.file(turn);
      // A document is never empty.
      const isDocument = turn % 2 === 0 && bytes.byteLength > 0;
      const sent = isDocument
        ? session.upload(
            application,
            this.bytes.text(turn % 40 === 4 ? 4 : turn, usualBytes),
            `plan-${turn}.txt`,
          )
        : this.#attach(session, `plan-${turn}`, bytes);
      const { status, json } = await sent;
      if (status >= 300) throw new Error(`file ${turn}: ${status} ${JSON.stringify(json)}`);
      if (isLarge && !isDocument)
        this.#files.push({ marker: `plan-${turn}`, sha256: digest(bytes) });
    });
    return session;
  }

  /** Exports a workspace while a caller writes in it. */
  async export(platform: RunningPlatform, session: DrillSession, name: string): Promise<void> {
    const before = await session.count({});
    let isOver = false;
    const written = this.#write(session, () => isOver);
    written.catch(() => {});
    let result: unknown;
    try {
      const words = ["workspace", "export", "--output", this.#path(name)];
      result = await this.#svc(platform, [...words, "--workspace", session.tenantId]);
    } finally {
      isOver = true;
    }
    const later = await written;
    const found = countIn(result, `records/${drillType.slug}`);
    if (found < before || found > before + later) {
      throw new Error(`the archive has ${found} of ${before} records, of ${later} later ones`);
    }
    if (later === 0) throw new Error("nothing was written during the export");
    this.acknowledged = before + this.size.files;
    console.error(`  ${name} archive: ${found} records, ${later} were written meanwhile`);
  }

  /** Imports an archive into an empty workspace, and compares both. */
  async import(platform: RunningPlatform, name: string): Promise<DrillSession> {
    const session = await emptyWorkspace(platform, "imported");
    const file = this.#path(name);
    await this.#svc(platform, ["workspace", "import", file, "--workspace", session.tenantId]);
    await this.#svc(platform, ["workspace", "compare", file, "imported"]);
    await this.#requireFiles(session);
    return session;
  }

  /** Flips one bit of an archive at a time: the comparison and the import must refuse it. */
  async flipBits(platform: RunningPlatform, session: DrillSession): Promise<void> {
    const words = ["workspace", "export", "--output", this.#path("small")];
    await this.#svc(platform, [...words, "--workspace", session.tenantId]);
    const bytes = await Bun.file(this.#path("small")).bytes();
    const target = await emptyWorkspace(platform, "flipped");
    const types = async () => {
      const { json } = await target.expect(200, "GET", "/v4/data/resources/object-types");
      return idsIn(json).join(" ");
    };
    const before = await types();
    const token = await platform.token();
    await inTurns(flips, async (turn) => {
      const flipped = bytes.slice();
      const at = Math.floor(Math.random() * bytes.byteLength);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (turn % 8));
      const file = this.#path(`flipped-${turn}`);
      await Bun.write(file, flipped);
      const calls = [["workspace", "compare", file, file]];
      if (turn % importEvery === 0) {
        calls.push(["workspace", "import", file, "--workspace", target.tenantId]);
      }
      for (const call of calls) {
        const { exitCode, stdout, stderr } = await finished(this.#start(platform, call, token));
        const said = `${stdout}${stderr}`;
        if (exitCode !== 0 && /not a sound archive|cannot be imported/.test(said)) continue;
        throw new Error(`the flipped bit ${turn % 8} of byte ${at} is not found: ${said}`);
      }
      await Bun.file(file).delete();
    });
    if ((await types()) !== before) throw new Error("a damaged archive was imported");
    console.error(`  ${flips} flipped bits of ${bytes.byteLength} bytes: each was found`);
  }

  /** Throws for a sampled file that another one stands for. */
  async #requireFiles(session: DrillSession): Promise<void> {
    const step = Math.max(1, Math.floor(this.#files.length / samples));
    const sampled = this.#files.filter((_, at) => at % step === 0);
    for (const { marker, sha256 } of sampled) {
      const path = `/v4/data/resources/${session.tenantId}/${plansType.slug}`;
      const where = new URLSearchParams({ where: JSON.stringify({ marker }) });
      const { json } = await session.expect(200, "GET", `${path}?${where.toString()}`);
      const [id = ""] = idsIn(json);
      const response = await fetch(`${session.url}${path}/${id}/files/plan`, {
        headers: { authorization: session.authorization, "x-tenant-id": session.tenantId },
      });
      const found = digest(await response.bytes());
      if (found !== sha256) throw new Error(`the file of ${marker} is another one: ${found}`);
    }
    console.error(`  ${sampled.length} files were read: each has its bytes`);
  }

  async #attach(session: DrillSession, marker: string, bytes: Uint8Array<ArrayBuffer>) {
    const path = `/v4/data/resources/${session.tenantId}/${plansType.slug}`;
    const { json } = await session.expect(201, "POST", path, { marker });
    const url = `${session.url}${path}/${String(memberOf(json, "id"))}/files/plan?filename=${marker}`;
    const headers = {
      authorization: session.authorization,
      "x-tenant-id": session.tenantId,
      "content-type": "application/octet-stream",
    };
    const response = await fetch(url, { method: "POST", headers, body: bytes });
    return { status: response.status, json: await response.json() };
  }

  /** Creates, changes and deletes records and files; returns how many records it created. */
  async #write(session: DrillSession, isOver: () => boolean): Promise<number> {
    const path = `/v4/data/resources/${session.tenantId}/planning-application`;
    const [application = ""] = idsIn((await session.expect(200, "GET", path)).json);
    let created = 0;
    for (; !isOver(); created += 1) {
      const late = { marker: `late-${created}`, count: created };
      const { json } = await session.expect(201, "POST", "", late);
      const id = String(memberOf(json, "id"));
      await session.expect(200, "PATCH", `/${id}`, { data: { note: "changed meanwhile" } });
      if (created % 5 === 0) {
        await this.#attach(session, `late-${created}`, this.bytes.file(created));
        const text = `${created} ${this.bytes.text(created, usualBytes)}`;
        // The snapshot has some documents before their processing has ended.
        await session.upload(application, text, `late-${created}.txt`);
      }
      await Bun.sleep(writeEveryMs);
    }
    return created;
  }

  #path(name: string): string {
    return join(this.directory, `${name}.svcarchive`);
  }

  #start(platform: RunningPlatform, words: readonly string[], token: string) {
    const env = userEnvironment(this.directory, {
      SVC_TOKEN: token,
      BASE_URL_PUBLIC_API: platform.url,
    });
    const command = [executable, ...words, "--format", "json", "--timeout", "7200"];
    return Bun.spawn(command, { env, stdio: ["ignore", "pipe", "pipe"] });
  }

  /** Runs a command to its end, and shows its time and the peaks of memory. */
  async #svc(platform: RunningPlatform, words: readonly string[]): Promise<unknown> {
    await forgetPeak(platform.pid);
    const beganMs = performance.now();
    const child = this.#start(platform, words, await platform.token());
    const peak = watchPeak(child.pid);
    const { exitCode, stdout, stderr } = await finished(child);
    const peaks = [peak(), (await peakBytes(platform.pid)) ?? Number.NaN].map(mebibytes);
    const seconds = Math.round((performance.now() - beganMs) / 1_000);
    const [, verb = ""] = words;
    console.error(`  ${verb}: ${seconds} s, peak ${peaks[0]} command, ${peaks[1]} platform`);
    const result: unknown = JSON.parse(stdout || "null");
    if (exitCode === 0) return result;
    const parts = memberOf(result, "parts");
    const wrong = Array.isArray(parts)
      ? parts.filter((part: unknown) => memberOf(part, "outcome") !== "equal")
      : stdout;
    throw new Error(`svc ${words.join(" ")}: ${exitCode} ${JSON.stringify(wrong)} ${stderr}`);
  }
}

/** Contents as workspaces have them: texts and binary files of all sizes, equal and empty ones. */
class VariedBytes {
  private constructor(
    private readonly texts: string,
    private readonly binary: Uint8Array<ArrayBuffer>,
  ) {}

  /** Takes texts from the pages of this project, and binary content from the executable. */
  static async read(): Promise<VariedBytes> {
    const names = (await readdir("docs")).filter((name) => name.endsWith(".md"));
    const texts = await Promise.all(names.map((name) => Bun.file(join("docs", name)).text()));
    const binary = await Bun.file(executable).slice(0, binaryBytes).bytes();
    return new VariedBytes(texts.join("\n"), binary);
  }

  text(turn: number, longest: number): string {
    const start = spread(turn) % (this.texts.length - longest);
    return this.texts.slice(start, start + 20 + (spread(turn + 1) % (longest - 20)));
  }

  file(turn: number): Uint8Array<ArrayBuffer> {
    if (turn % 50 === 7) return new Uint8Array(0);
    if (turn % 20 === 3) return this.file(1);
    const isLarge = turn % 100 === 49;
    const longest = isLarge ? largeBytes : usualBytes;
    const size = (isLarge ? largeBytes / 3 : 0) + (spread(turn) % longest);
    const start = spread(turn + 1) % (this.binary.byteLength - size);
    return this.binary.slice(start, start + size);
  }
}

/** A number that is always the same for a turn, without a visible order. */
function spread(turn: number): number {
  return Math.imul(turn + 1, 2_654_435_761) >>> 0;
}

async function emptyWorkspace(platform: RunningPlatform, slug: string): Promise<DrillSession> {
  const token = await platform.token();
  const workspace = { slug, displayName: slug, homeRegion: "eu" };
  const anywhere = new DrillSession(platform.url, token, "");
  const { json } = await anywhere.expect(201, "POST", "/v4/platform/tenants", workspace);
  return anywhere.within(String(memberOf(json, "id")));
}

/** The ids of the items of an answer. */
function idsIn(json: unknown): string[] {
  const items = [memberOf(json, "items"), memberOf(json, "results")].find(Array.isArray) ?? [];
  return items.map((item: unknown) => String(memberOf(item, "id")));
}

/** The number of lines of a part, in the answer of an export. */
function countIn(result: unknown, part: string): number {
  const parts = memberOf(result, "parts");
  const found = Array.isArray(parts)
    ? parts.find((each: unknown) => memberOf(each, "name") === part)
    : undefined;
  return Number(memberOf(found, "count"));
}

function digest(bytes: Uint8Array): string {
  return Bun.CryptoHasher.hash("sha256", bytes, "hex");
}
