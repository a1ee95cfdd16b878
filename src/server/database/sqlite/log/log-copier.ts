import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { parsedJson } from "#lib/json/value.ts";
import type { LogLine } from "../../database.ts";
import { SqliteConnection } from "../sqlite-connection.ts";
import { nameOfPiece, writtenHeader, writtenPage } from "./log-pieces.ts";
import { WalFile, type CommittedPages, type LogPosition } from "./wal-file.ts";

const number = z.int().min(0);
const lineState = z.object({
  line: z.string(),
  startedAt: number,
  /** The number of the last piece. */
  sequence: number,
  /** The time of the last look, in milliseconds. */
  until: number,
  position: z.object({ salt: z.string(), frame: number, checksum: z.tuple([number, number]) }),
  /** True if all of the log was copied before it ended. */
  isEnded: z.boolean(),
  /** The database file after the last platform was closed, whose whole log was copied. */
  closed: z.object({ size: z.number(), changedNs: z.string() }).optional(),
});
type LineState = z.output<typeof lineState>;

/** Nothing is copied while nothing is committed; the state says so after this time again. */
export const idleMs = 120_000;
const stateName = "state.json";
const unfinished = "unfinished";

export interface LogCopierOptions {
  readonly path: string;
  readonly folder: string;
  /** Pieces that wait for their shipment; with more of them a new line begins. */
  readonly limitBytes: number;
  readonly pragmas: readonly string[];
  readonly now?: () => number;
}

/**
 * Copies the committed pages of a write-ahead log into pieces, in a line without a gap. A reading
 * transaction prevents that the log begins again before its end was copied; two connections have
 * it in turn. All checkpoints must be made by the thread that has the copier.
 */
export class LogCopier {
  readonly #readers: readonly [SqliteConnection, SqliteConnection];
  readonly #now: () => number;
  #turn: 0 | 1 = 0;
  #state: LineState;
  #savedMs = 0;

  constructor(private readonly options: LogCopierOptions) {
    const { path, folder, pragmas, now = Date.now } = options;
    this.#now = now;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const connect = (): SqliteConnection => {
      const connection = new SqliteConnection(path, { readonly: true });
      for (const pragma of pragmas) connection.execute(`pragma ${pragma}`);
      return connection;
    };
    this.#readers = [connect(), connect()];
    hold(this.#readers[0]);
    this.#state = this.#continued() ?? this.#begun();
  }

  get line(): LogLine {
    const { line, startedAt } = this.#state;
    return { line, startedAt };
  }

  /** Lets a checkpoint move all pages, which the log keeps until it ends. */
  follow(): void {
    const next = this.#turn === 0 ? 1 : 0;
    // The other one keeps the log if this fails.
    hold(this.#readers[next]);
    release(this.#readers[this.#turn]);
    this.#turn = next;
  }

  /** Copies what was committed since the last call. */
  copy(): void {
    this.follow();
    this.#copyNew();
  }

  /**
   * Copies the rest of the log while no writer runs, and lets `checkpoint` end it. After `limitMs`
   * the log does not end, because writers may run again.
   */
  end(checkpoint: () => void, limitMs: number): void {
    const untilMs = performance.now() + limitMs;
    try {
      this.copy();
    } catch {
      // A full disk must not make the log grow: the copies go, which takes less space.
      this.#giveUp();
    }
    const mayEnd = performance.now() < untilMs;
    if (mayEnd) {
      this.#save({ ...this.#state, isEnded: true });
      release(this.#readers[this.#turn]);
    }
    try {
      checkpoint();
    } finally {
      if (mayEnd) hold(this.#readers[this.#turn]);
    }
  }

  /** Begins another line, e.g. because a piece of this one was lost. */
  restart(): void {
    this.#state = this.#begun();
  }

  /** A line that was not shipped for long ends, with the pieces that wait. */
  #giveUp(): void {
    const { folder } = this.options;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.restart();
  }

  close(): void {
    try {
      this.copy();
      this.#save({ ...this.#state, isEnded: true });
    } finally {
      for (const reader of this.#readers) {
        release(reader);
        reader.close();
      }
    }
  }

  #copyNew(): void {
    const wal = WalFile.open(`${this.options.path}-wal`);
    const state = this.#state;
    const until = this.#now();
    if (wal === undefined) {
      if (state.isEnded) this.#noteIdle(until);
      return;
    }
    try {
      const isNext = wal.has(state.position);
      if (!isNext && !(state.isEnded && wal.salt !== state.position.salt)) {
        this.#state = this.#begun();
        return;
      }
      const found = wal.committedAfter(isNext ? state.position : wal.start);
      if (found.frames.size === 0) {
        this.#noteIdle(until);
        return;
      }
      const sequence = state.sequence + 1;
      this.#write(wal, found, { ...state, sequence }, until);
      const position = written(found.end);
      this.#save({ ...state, sequence, until, position, isEnded: false, closed: undefined });
    } finally {
      wal.close();
    }
    if (this.#waitingBytes() > this.options.limitBytes) this.#giveUp();
  }

  #noteIdle(until: number): void {
    const state = { ...this.#state, until };
    if (until - this.#savedMs >= idleMs) this.#save(state);
    else this.#state = state;
  }

  #write(wal: WalFile, found: CommittedPages, state: LineState, until: number): void {
    const { line, sequence } = state;
    const { salt, frame: to } = found.end;
    const from = wal.has(state.position) ? state.position.frame : 0;
    const folder = join(this.options.folder, line);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const piece = { line, sequence, since: state.until, until, salt, from, to };
    const partial = join(this.options.folder, unfinished);
    const numbers = [...found.frames.keys()].filter((each) => each <= found.databasePages);
    const { pageBytes, databasePages } = found;
    const file = openSync(partial, "w", 0o600);
    try {
      writeSync(file, writtenHeader({ pageBytes, databasePages, pages: numbers.length }));
      for (const each of numbers.toSorted((one, other) => one - other)) {
        writeSync(file, writtenPage(each, wal.page(found.frames.get(each) ?? 0)));
      }
    } finally {
      closeSync(file);
    }
    renameSync(partial, join(folder, nameOfPiece(piece)));
  }

  /** The stored line, if nothing was committed that it lacks. */
  #continued(): LineState | undefined {
    const state = readState(this.options.folder);
    if (state === undefined) return undefined;
    const wal = WalFile.open(`${this.options.path}-wal`);
    try {
      if (wal?.has(state.position) === true) return state;
      if (state.isEnded && wal?.follows(state.position.salt) === true) return state;
      const { size, changedNs } = factsOf(this.options.path);
      const isAsClosed = state.closed?.size === size && state.closed.changedNs === changedNs;
      return isAsClosed && state.isEnded ? state : undefined;
    } finally {
      wal?.close();
    }
  }

  /** A new line after everything that was committed. */
  #begun(): LineState {
    const startedAt = this.#now();
    const { path } = this.options;
    const wal = WalFile.open(`${path}-wal`);
    const none: LogPosition = { salt: "", frame: 0, checksum: [0, 0] };
    const end = wal === undefined ? none : wal.committedAfter(wal.start).end;
    wal?.close();
    const line = `${startedAt}-${crypto.randomUUID().slice(0, 8)}`;
    const position = written(end);
    const state = { line, startedAt, sequence: 0, until: startedAt, position };
    return this.#save({ ...state, isEnded: wal === undefined });
  }

  #save(state: LineState): LineState {
    this.#state = state;
    this.#savedMs = state.until;
    saveState(this.options.folder, state);
    return state;
  }

  #waitingBytes(): number {
    const { folder } = this.options;
    let bytes = 0;
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      bytes += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
    }
    return bytes;
  }
}

/** Notes the state of a database file without a log, so that the next start continues the line. */
export function noteClosed(folder: string, path: string): void {
  const state = readState(folder);
  if (state === undefined || statSync(`${path}-wal`, { throwIfNoEntry: false }) !== undefined)
    return;
  saveState(folder, { ...state, closed: factsOf(path) });
}

/** The end of a line of copies: its pieces have all commits before `until`. */
export interface CopiedEnd {
  readonly line: string;
  readonly sequence: number;
  readonly until: number;
  readonly salt: string;
  readonly frame: number;
}

/** The end that a platform has noted last in the folder of its copies. */
export function copiedEnd(folder: string): CopiedEnd | undefined {
  const state = readState(folder);
  if (state === undefined) return undefined;
  const { line, sequence, until, position } = state;
  return { line, sequence, until, salt: position.salt, frame: position.frame };
}

function hold(reader: SqliteConnection): void {
  release(reader);
  reader.run("begin", []);
  // The first statement that reads begins the transaction.
  reader.run("select 1 from sqlite_schema limit 1", []);
}

function release(reader: SqliteConnection): void {
  if (reader.inTransaction) reader.run("commit", []);
}

function written({ salt, frame, checksum: [first, second] }: LogPosition): LineState["position"] {
  return { salt, frame, checksum: [first, second] };
}

function factsOf(path: string): { size: number; changedNs: string } {
  const facts = statSync(path, { bigint: true });
  return { size: Number(facts.size), changedNs: `${facts.mtimeNs}` };
}

function readState(folder: string): LineState | undefined {
  try {
    return lineState.safeParse(parsedJson(readFileSync(join(folder, stateName), "utf8"))).data;
  } catch {
    // A new line begins where no state is stored.
    return undefined;
  }
}

function saveState(folder: string, state: LineState): void {
  const partial = join(folder, `${stateName}.${unfinished}`);
  writeFileSync(partial, JSON.stringify(state), { mode: 0o600 });
  renameSync(partial, join(folder, stateName));
}
