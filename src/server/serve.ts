import { accessSync, chmodSync, constants, existsSync, mkdirSync } from "node:fs";
import { platform as platformName } from "node:os";
import { resolve } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { authPath } from "#contract/sign-in.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { within } from "#lib/within.ts";
import { isLoopbackHost } from "#lib/loopback.ts";
import { listen, reachableHost } from "./platform/listen.ts";
import { createPlatform } from "./platform.ts";
import type { FirstSignIn, LogEvent, Logger, Platform } from "./platform.ts";
import type { PlatformOptions } from "./platform/options.ts";
import { refuseBackup } from "./platform/backup/manifest.ts";
import { databaseUrlOf } from "./platform/storage-location.ts";
import { storageCatalogError } from "./platform/storage-catalog-error.ts";
import { migratingWords } from "./platform/maintenance/migrate-data.ts";
import { isSqlite, sqlitePath } from "./database/open.ts";
import type { ReadingThreads } from "./platform/threads/reading-threads.ts";

const stopTimeoutMs = 10_000;
/** Of that time, what is kept for closing: the last checkpoint of a large database takes a while. */
const closingShare = 0.2;
const seedTokenTtlMs = 10 * 60 * 1000;

export interface ServeOptions {
  /** An address of this machine; `127.0.0.1` unless others shall reach the platform. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly dataDirectory: string;
  readonly databaseUrl?: string | undefined;
  /** `s3://bucket/prefix?…` instead of files in the data directory. */
  readonly filesUrl?: string | undefined;
  readonly filesCredentials?: PlatformOptions["filesCredentials"] | undefined;
  /**
   * The public address, with no trailing slash: the one that callers, links and tokens name. A proxy
   * on this machine then says in `X-Forwarded-For` whom it speaks for.
   */
  readonly baseUrl?: string | undefined;
  readonly authUrl?: string | undefined;
  readonly extractionCommand: readonly string[];
  /**
   * Threads that answer requests (default 1): beside the main one they answer reads of records, and
   * hand it all else. More than one only where {@link mayShare} says so.
   */
  readonly threads?: number | undefined;
  /** Fills in the sample data, unless they are there already. */
  readonly sampleData?: boolean | undefined;
  /** One line for the operator: warnings and failures, without secrets. */
  readonly log: (line: string) => unknown;
  readonly limits?: PlatformOptions["limits"];
}

export interface Served {
  /** Where it listens, as a URL with no trailing slash. */
  readonly url: string;
  /** The issuer of the access tokens that it takes. */
  readonly authUrl: string;
  readonly dataDirectory: string;
  readonly platform: Platform;
  /** After the first start that did well: the first user, whose password is shown this once. */
  readonly firstSignIn: FirstSignIn | undefined;
  /**
   * Takes no new work, lets what runs end or leaves it resumable, and closes, all within about
   * `timeoutMs` (default 10 s). Told twice, it stops once.
   */
  stop(timeoutMs?: number): Promise<void>;
}

/**
 * Runs the platform on a port of this machine. Refuses a port or a data directory that is taken
 * (E205), and a directory, a database or a file store that can't be used (E006, E203, E305).
 */
export async function serve(options: ServeOptions): Promise<Served> {
  const { host, dataDirectory, baseUrl, authUrl } = options;
  refuseBackup(dataDirectory);
  prepareDirectory(dataDirectory);
  const platform = await openPlatform(options);
  const opening = Promise.withResolvers<void>();
  let server: Bun.Server<undefined>;
  try {
    const sharing = (options.threads ?? 1) > 1 ? ({ sharing: "opens" } as const) : {};
    server = await listen({ ...options, ...sharing }, platform, opening.promise);
  } catch (error) {
    await platform.close();
    throw error;
  }
  const url = `http://${reachableHost(host)}:${server.port}`;
  let threads: ReadingThreads | undefined;
  let firstSignIn: FirstSignIn | undefined;
  try {
    await platform.announce(url);
    if (options.sampleData === true) {
      const { seedSampleData } = await import("./sample-data/seed.ts");
      const { token } = await platform.mintToken({ ttlMs: seedTokenTtlMs });
      const whenRefused = "The log says why; start again, and what is missing is added";
      const fetch = (request: Request): Promise<Response> => platform.fetch(request);
      await seedSampleData({ baseUrl: url, token, fetch, whenRefused });
    }
    threads = await openThreads(options, platform, server);
    // Last: from here on nothing can keep it from being shown.
    firstSignIn = await platform.issueFirstPassword();
  } catch (error) {
    await Promise.all([server.stop(true), threads?.stop(0)]);
    await platform.close();
    throw storageCatalogError(error, options);
  }
  opening.resolve();
  let stopping: Promise<void> | undefined;
  return {
    url,
    authUrl: authUrl ?? (baseUrl ?? url) + authPath,
    dataDirectory,
    platform,
    firstSignIn,
    stop: (timeoutMs = stopTimeoutMs) =>
      (stopping ??= stop({ server, threads, platform }, timeoutMs)),
  };
}

/** Whether several threads can answer: they read a file, and the system shares their port out. */
export function mayShare(databaseUrl: string | undefined): boolean {
  return platformName() === "linux" && (databaseUrl === undefined || isSqlite(databaseUrl));
}

async function openThreads(
  options: ServeOptions,
  platform: Platform,
  server: Bun.Server<undefined>,
): Promise<ReadingThreads | undefined> {
  const { threads = 1, host, baseUrl } = options;
  if (threads === 1) return undefined;
  const { ReadingThreads } = await import("./platform/threads/reading-threads.ts");
  const opened = new ReadingThreads({
    count: threads - 1,
    platform,
    logger: loggerTo(options.log),
    start: {
      threads,
      databasePath: resolve(sqlitePath(databaseUrlOf(options))),
      host,
      port: server.port ?? options.port,
      baseUrl,
      ...acceptedHosts(host),
    },
  });
  await opened.open();
  return opened;
}

/** Which names and addresses callers may reach it under. */
function acceptedHosts(host: string) {
  return { acceptsAddresses: !isLoopbackHost(host), allowedHosts: [host] };
}

function loggerTo(write: ServeOptions["log"]): Logger {
  const log = (event: LogEvent): void => void write(JSON.stringify(event));
  return { info: () => {}, warn: log, error: log };
}

function prepareDirectory(directory: string): void {
  const isNew = !existsSync(directory);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // Only our own: somebody else's directory keeps the mode it was given.
    if (isNew) chmodSync(directory, 0o700);
    accessSync(directory, constants.R_OK | constants.W_OK);
  } catch (error) {
    // What exists is a file: a folder would not have to be made.
    const words =
      systemErrorCode(error) === "EEXIST" ? "it is not a folder" : systemErrorWords(error);
    const details = `cannot use the data directory ${directory}: ${words}`;
    throw catalogError("E006", { details }, { hint: "Name another with --data-dir", cause: error });
  }
}

async function openPlatform(options: ServeOptions): Promise<Platform> {
  const { dataDirectory, databaseUrl, baseUrl, authUrl, limits, host, threads } = options;
  const { filesUrl, filesCredentials } = options;
  try {
    return await createPlatform({
      dataDirectory,
      extractionCommand: options.extractionCommand,
      logger: loggerTo(options.log),
      onMigrating: async (bytes) => void (await options.log(migratingWords(bytes))),
      ...acceptedHosts(host),
      ...(databaseUrl === undefined ? {} : { databaseUrl }),
      ...(threads === undefined ? {} : { threads }),
      ...(filesUrl === undefined ? {} : { filesUrl }),
      ...(filesCredentials === undefined ? {} : { filesCredentials }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(authUrl === undefined ? {} : { authUrl }),
      ...(limits === undefined ? {} : { limits }),
    });
  } catch (error) {
    const whenInUse = "Stop the other `svc serve`, or name another directory with --data-dir";
    throw storageCatalogError(error, options, whenInUse);
  }
}

async function stop(
  {
    server,
    threads,
    platform,
  }: {
    readonly server: Bun.Server<undefined>;
    readonly threads: ReadingThreads | undefined;
    readonly platform: Platform;
  },
  timeoutMs: number,
): Promise<void> {
  const drainMs = timeoutMs * (1 - closingShare);
  const endsAt = performance.now() + drainMs;
  // Still answered meanwhile: what is new gets 503, streams are told to end.
  threads?.drain();
  await platform.drain(drainMs);
  // Bodies that are being sent have what is left of the time; idle connections have none.
  const leftMs = endsAt - performance.now();
  await Promise.all([within(leftMs, server.stop(false), undefined), threads?.stop(leftMs)]);
  await server.stop(true);
  await platform.close();
}
