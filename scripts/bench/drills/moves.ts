import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DrillSession, inTurns, memberOf } from "../../../test/support/drills/session.ts";
import { userEnvironment } from "../../../test/support/environment.ts";
import {
  startPlatformProcess,
  type RunningPlatform,
} from "../../../test/support/platform-process.ts";
import { executable } from "../../build/executable.ts";
import { findPostgres, startPostgres } from "../../postgres.ts";
import { recordsAtOnce, skippedDrill, type DrillResult, type FilledSize } from "./result.ts";

const kills = 5;
/** The longest time from the start of a move to its kill, for each million of records. */
const killedWithinMs = 30_000;
const leastKillMs = 500;
const writeEveryMs = 50;
const unavailable = 503;

/** A platform's place, as `svc serve` and `svc serve move` name it. */
interface MovedPlace {
  readonly name: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

/**
 * A platform with records and files moves from SQLite to PostgreSQL and back while a caller writes,
 * and each move is killed (-9) five times. Then all rows and files of the last place are those of
 * the first one, with each acknowledged write.
 */
export async function drillMoves(directory: string, size: FilledSize): Promise<DrillResult> {
  const { records, files } = size;
  const counts = `${records.toLocaleString("en")} records, ${files.toLocaleString("en")} files`;
  const name = `move of ${counts} to PostgreSQL and back, killed ${2 * kills} times`;
  const postgres = await findPostgres();
  if (postgres === undefined) return skippedDrill(name, "PostgreSQL is not installed");
  const cluster = await startPostgres(postgres, { isDurable: true });
  try {
    const drill = new MovesDrill(name, directory);
    const place = (part: string, databaseUrl?: string): MovedPlace => {
      return { name: part, dataDir: join(directory, part), databaseUrl };
    };
    const [first, last] = [place("moved-first"), place("moved-back")];
    const other = place("moved-postgresql", await cluster.createDatabase("moved"));
    await drill.fill(first, size);
    await drill.move(first, other);
    await drill.move(other, last);
    return { name, acknowledged: await drill.checked(last), lost: 0, cells: 2 * kills };
  } finally {
    await cluster.stop();
  }
}

class MovesDrill {
  #session: DrillSession | undefined;
  #records = 0;
  #documents = 0;

  constructor(
    private readonly name: string,
    private readonly directory: string,
  ) {}

  async fill(place: MovedPlace, { records, files }: FilledSize): Promise<void> {
    const platform = await this.#start(place);
    try {
      const session = await DrillSession.create(platform);
      this.#session = session;
      await inTurns(records / recordsAtOnce, async (turn) => {
        const items = Array.from({ length: recordsAtOnce }, (_, at) => ({
          marker: `record-${turn}-${at}`,
          count: turn,
          note: `Ärger über die Brücke ${at}`,
        }));
        await session.expect(200, "POST", "/batch/create", { items });
      });
      const application = await session.makeApplication();
      await inTurns(files, async (turn) => {
        const { status, json } = await session.upload(application, `the text ${turn}\n`.repeat(40));
        if (status !== 202) throw new Error(`upload ${turn}: ${status} ${JSON.stringify(json)}`);
      });
      [this.#records, this.#documents] = [records, files];
    } finally {
      await platform.stop();
    }
  }

  /** Moves the platform while it works; the last call runs to its end. */
  async move(from: MovedPlace, to: MovedPlace): Promise<void> {
    const platform = await this.#start(from);
    const session = this.#callerAt(platform);
    let isOver = false;
    const writing = this.#write(session, () => isOver);
    // Its failure is thrown when the move has ended.
    writing.catch(() => {});
    try {
      await mkdir(to.dataDir, { recursive: true });
      // The next platform needs the key of the one before.
      await copyFile(join(from.dataDir, "svc.key"), join(to.dataDir, "svc.key"));
      const dataDir = (to.databaseUrl === undefined ? from : to).dataDir;
      const words = ["serve", "move", "--from", placeWord(from), "--to", placeWord(to)];
      const command = [...words, "--data-dir", dataDir, "--format", "json"];
      for (let count = 1; count <= kills; count += 1) {
        const child = this.#svc(command);
        const longestMs = (killedWithinMs * this.#records) / 1_000_000;
        await Bun.sleep(leastKillMs + Math.random() * longestMs);
        child.kill("SIGKILL");
        await child.exited;
        console.error(
          `  ${this.name}: killed on the way to ${to.name} after ${this.#records} records`,
        );
      }
      const beganMs = performance.now();
      await this.#done(command);
      const seconds = Math.round((performance.now() - beganMs) / 1_000);
      console.error(`  ${this.name}: the last call to ${to.name} took ${seconds} s`);
      await this.#done([...command, "--verify"]);
    } finally {
      isOver = true;
      await writing;
      await platform.stop();
    }
  }

  /** Throws unless the place has all that was acknowledged; returns its number. */
  async checked(place: MovedPlace): Promise<number> {
    const platform = await this.#start(place);
    try {
      const session = this.#callerAt(platform);
      const records = await session.count({});
      const path = "/v4/data/documents/records?count=true&limit=1";
      const documents = Number(memberOf((await session.expect(200, "GET", path)).json, "total"));
      // A write without an answer may be there too.
      if (records < this.#records || documents !== this.#documents) {
        const wanted = `${this.#records} records and ${this.#documents} documents`;
        throw new Error(`of ${wanted} there are ${records} and ${documents}`);
      }
      return this.#records + this.#documents;
    } finally {
      await platform.stop();
    }
  }

  /** Writes until the platform is read-only, and counts what it has acknowledged. */
  async #write(session: DrillSession, isOver: () => boolean): Promise<void> {
    for (let turn = 0; !isOver(); turn += 1) {
      const { status, json } = await session.call("POST", "", { marker: `late-${turn}` });
      if (status === 201) this.#records += 1;
      else if (status !== unavailable) {
        throw new Error(`a write is answered with ${status}: ${JSON.stringify(json)}`);
      }
      await Bun.sleep(writeEveryMs);
    }
  }

  #callerAt(platform: RunningPlatform): DrillSession {
    if (this.#session === undefined) throw new TypeError("the first platform comes first");
    return this.#session.at(platform);
  }

  #start({ dataDir, databaseUrl }: MovedPlace): Promise<RunningPlatform> {
    const args = databaseUrl === undefined ? [] : [`--database-url=${databaseUrl}`];
    return startPlatformProcess({ executable, dataDir, home: this.directory, args });
  }

  #svc(words: readonly string[]) {
    return Bun.spawn([executable, ...words], {
      env: userEnvironment(this.directory, {}),
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  async #done(words: readonly string[]): Promise<void> {
    const child = this.#svc(words);
    const texts = [new Response(child.stdout).text(), new Response(child.stderr).text()];
    const [answer, fault] = await Promise.all(texts);
    if ((await child.exited) === 0) return;
    throw new Error(`svc ${words.slice(0, 6).join(" ")} failed: ${fault} ${answer}`);
  }
}

function placeWord({ dataDir, databaseUrl }: MovedPlace): string {
  return databaseUrl ?? `sqlite:${dataDir}`;
}
