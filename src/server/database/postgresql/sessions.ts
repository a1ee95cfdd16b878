import { SQL } from "bun";
import type { Scope } from "../../kit/scope.ts";
import { StorageError } from "../../kit/storage-errors.ts";
import { textLiteral } from "../dialect.ts";
import { connectingFailure, sqlState } from "./driver-errors.ts";
import { scopeSetting, sessionMark, workspacesSetting } from "./row-security.ts";

export interface SessionOptions {
  readonly url: string;
  /**
   * Marks the server's sessions as our own: the server gets it when a connection opens. Undefined
   * through a pooler, whose clients share sessions.
   */
  readonly mark: string | undefined;
  readonly connections: number;
  /** Unused connections close after this time. */
  readonly idleSeconds: number;
  readonly isReadonly: boolean;
  readonly statementTimeoutMs: number;
  /** The role that the statements run as; that of the URL without. */
  readonly role?: string | undefined;
  /** How the server plans the statements; its own choice without. */
  readonly plans?: keyof typeof planSettings;
  /** Pages of a table that the server reads ahead; its own setting without. */
  readonly readAheadPages?: number;
}

const planSettings = {
  /** A unit that reads a whole (small) table conflicts with every write to it, and runs again. */
  "by-any-index": { enable_seqscan: "off" },
  /**
   * The values of a filter or a search decide which index is best: a plan for any value reads a
   * whole table for a rare word. One server process each, since three would slow down all short
   * statements.
   */
  "by-values": { plan_cache_mode: "force_custom_plan", max_parallel_workers_per_gather: "0" },
  /**
   * Planned once, along the index that has the rows in order: planning takes longer than reading a
   * page. Never with a sort, which a plan for any value may choose because it expects few rows.
   */
  "along-an-index": {
    plan_cache_mode: "force_generic_plan",
    enable_sort: "off",
    enable_bitmapscan: "off",
    enable_seqscan: "off",
  },
} as const;

/** The methods of a client that a pool uses. Its connection opens when it is first used. */
export type SessionClient = Pick<SQL, "reserve" | "close">;

/** Opens the clients of a platform, in place of {@link connect}. */
export interface SessionSource {
  /** The mark of all its sessions. */
  readonly mark: string;
  connect(options: SessionOptions): SessionClient;
}

/** Opens no connection yet; throws a `StorageError` for a URL that is none. */
export function connect(options: SessionOptions): SQL {
  const { url, mark } = options;
  const pool = {
    max: options.connections,
    idleTimeout: options.idleSeconds,
    connectionTimeout: 5,
    // int8 as bigint, so that none is rounded; `plainRow` converts those that fit.
    bigint: true,
  };
  try {
    if (mark === undefined) {
      const connection = { application_name: "svc" };
      return new SQL(splitUrl(url).url, { ...pool, prepare: false, connection });
    }
    const { isolation, access } = modeOf(options);
    const connection = {
      application_name: "svc",
      [sessionMark]: mark,
      default_transaction_isolation: isolation,
      default_transaction_read_only: access === "read only" ? "on" : "off",
      ...settingsOf(options),
    };
    return new SQL(url, { ...pool, connection });
  } catch (error) {
    // The URL may hold a password, which other errors than that of a parameter show.
    const isParameter = error instanceof Error && "code" in error && error.code === wrongParameter;
    const reason = isParameter ? error.message : expectedUrl;
    throw new StorageError(`Cannot use the database's URL: ${reason}`, { cause: error });
  }
}

/**
 * Returns the text that begins a transaction in a scope. Through a pooler it also sets, for this
 * transaction only, the scope and all settings that an own session has from its start; the
 * server gets both in one message.
 */
export function beginning(options: SessionOptions, isSnapshot = false): (scope: Scope) => string {
  const mode = modeOf(options);
  const { isolation, access } = isSnapshot ? { ...mode, isolation: "repeatable read" } : mode;
  if (options.mark !== undefined) {
    return () => (isSnapshot ? `begin isolation level ${isolation} ${access}` : "begin");
  }
  const settings = Object.entries({ ...splitUrl(options.url).settings, ...settingsOf(options) });
  const set = settings.map(([name, value]) => setForTransaction(name, value));
  const begin = `begin isolation level ${isolation} ${access}; select ${set.join(", ")}`;
  return (scope) => `${begin}, ${setForTransaction(workspacesSetting, scopeSetting(scope))}`;
}

function setForTransaction(name: string, value: string): string {
  return `set_config(${literal(name)}, ${literal(value)}, true)`;
}

function modeOf({ isReadonly }: SessionOptions) {
  return isReadonly
    ? ({ isolation: "read committed", access: "read only" } as const)
    : ({ isolation: "serializable", access: "read write" } as const);
}

function settingsOf(options: SessionOptions): Readonly<Record<string, string>> {
  return {
    // A server, a role or a database may have it off, which loses acknowledged writes.
    synchronous_commit: "on",
    // Also ends statements of a process that has died.
    statement_timeout: String(options.statementTimeoutMs),
    idle_in_transaction_session_timeout: String(options.statementTimeoutMs * 2),
    ...(options.role !== undefined && { role: options.role }),
    // Compiling a filter over lists takes longer than running it.
    jit: "off",
    ...(options.plans && planSettings[options.plans]),
    ...(options.readAheadPages !== undefined && {
      effective_io_concurrency: String(options.readAheadPages),
    }),
  };
}

/** The parameters of a URL that the client reads; all others are settings of the session. */
const clientParameters = new Set(["sslmode", "path"]);

/**
 * A URL without settings, and its settings (`?search_path=…`, `?options=-csearch_path%3D…`): a
 * pooler refuses or ignores settings at the start of a connection.
 */
function splitUrl(url: string): {
  readonly url: string;
  readonly settings: Record<string, string>;
} {
  const parsed = new URL(url);
  const settings: Record<string, string> = {};
  const kept = new URLSearchParams();
  for (const [name, value] of parsed.searchParams) {
    if (clientParameters.has(name.toLowerCase())) kept.append(name, value);
    else if (name === "options") Object.assign(settings, settingsOfOptions(value));
    else settings[name] = value;
  }
  parsed.search = kept.toString();
  return { url: parsed.href, settings };
}

/** The settings of `-c name=value` and `--name=value`. */
function settingsOfOptions(text: string): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [, name, value] of text.matchAll(/(?:-c\s*|--)([\w.]+)=(\S*)/g)) {
    if (name !== undefined && value !== undefined) settings[name] = value;
  }
  return settings;
}

/** An SQL literal that means the same whatever the server's settings are. */
function literal(text: string): string {
  return `E${textLiteral(text.replaceAll("\\", "\\\\"))}`;
}

const wrongParameter = "ERR_INVALID_ARG_VALUE";
const expectedUrl =
  'expected "postgres://user:password@host:port/name", with signs like # and % percent-encoded';

/**
 * Tries a transaction of two statements through a pooler. Throws a `StorageError` with the settings
 * that PgBouncer needs when the pooler does not keep both in one session.
 */
export async function requireTransactions(url: string): Promise<void> {
  const value = crypto.randomUUID();
  const sql = connect({ ...trial, url });
  try {
    await sql.unsafe(`begin; select set_config('${workspacesSetting}', '${value}', true)`);
    const kept = await sql.unsafe<{ value: string }[]>(readScope);
    await sql.unsafe("commit");
    const after = await sql.unsafe<{ value: string }[]>(readScope);
    if (kept[0]?.value === value && after[0]?.value !== value) return;
    throw new StorageError(`Cannot keep a scope in a transaction through the pooler: ${needed}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!/pooling mode|PQexec/.test(reason)) throw connectingFailure(error);
    throw new StorageError(`Cannot use this pooler: ${reason}. ${needed}`, { cause: error });
  } finally {
    await sql.close({ timeout: 1 });
  }
}

const trial = {
  mark: undefined,
  connections: 1,
  idleSeconds: 10,
  isReadonly: true,
  statementTimeoutMs: 5_000,
};
const readScope = `select current_setting('${workspacesSetting}', true) as value`;
const needed =
  'PgBouncer needs "pool_mode = transaction" or "pool_mode = session" in pgbouncer.ini, ' +
  'and no "disable_pqexec = 1"';

/** True if a connection failed because a pooler refuses the settings of our sessions. */
export function isRefusedSetting(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = cause instanceof Error ? cause.message : "";
  return sqlState(error) === protocolViolation && message.includes("startup parameter");
}

const protocolViolation = "08P01";
