import { accessSync, chmodSync, constants, existsSync, mkdirSync } from "node:fs";
import { platform as platformName } from "node:os";
import { resolve } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { authPath } from "#contract/access/sign-in.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { within } from "#lib/time/within.ts";
import { isLoopbackHost } from "#lib/network/loopback.ts";
import { metricsPath } from "./domains/metrics/pages.ts";
import { listen, listenForMetrics, reachableHost, type PlatformServer } from "./platform/listen.ts";
import { createPlatform } from "./platform.ts";
import type { FirstSignIn, LogEvent, Logger, Platform } from "./platform.ts";
import type { PlatformOptions } from "./platform/options.ts";
import { refuseBackup } from "./platform/backup/manifest.ts";
import { databaseUrlOf } from "./platform/storage-location.ts";
import { storageCatalogError } from "./platform/storage-catalog-error.ts";
import { migratingWords } from "./platform/maintenance/migrate-data.ts";
import { isSqlite, sqlitePath } from "./database/open.ts";
import type { ReadingThreads } from "./platform/threads/reading-threads.ts";
import { keptPromise } from "./kit/background.ts";

const stopTimeoutMs = 10_000;
/** How long new requests are at least refused before the port closes, with a drain delay. */
const refusingMs = 1_000;
/** Share of the stop time that is kept for the close, with the last checkpoint of a database. */
const closingShare = 0.2;
const seedTokenTtlMs = 10 * 60 * 1000;

/** The platform's options that `svc serve` passes on. */
type PassedOptions = Pick<
  PlatformOptions,
  | "dataDirectory"
  | "databaseUrl"
  | "keyFile"
  | "filesUrl"
  | "filesCredentials"
  | "backups"
  | "authUrl"
  | "authRegistration"
  | "firstUser"
  | "smtpUrl"
  | "modelEndpoint"
  | "extractionCommand"
  | "factorRule"
  | "fetchHosts"
  | "webhookHosts"
  | "readyNeedsWrites"
  | "ocrFolder"
  | "threads"
  | "limits"
  | "tuning"
  | "documentation"
  | "processUsage"
>;

/**
 * `threads` (default 1): all but the main thread serve reads and creations of records and forward
 * the rest. More than one needs {@link mayShare}.
 */
export interface ServeOptions extends PassedOptions {
  /** An address of this machine, e.g. `127.0.0.1` for this machine only. */
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** The public URL without a trailing slash, for links and tokens. */
  readonly baseUrl?: string | undefined;
  /** Networks of the proxies that may name the caller: see `ListenOptions`. */
  readonly trustedProxies?: readonly string[] | undefined;
  /**
   * Time from the 503 at `/ready` to the drain, in which balancers stop sending requests. Streams
   * then end within as long again, at most half of the stop time. Default 0.
   */
  readonly drainDelayMs?: number | undefined;
  /** Another address on which `GET /metrics` needs no token; port 0 takes a free one. */
  readonly metricsBind?: { readonly host: string; readonly port: number } | undefined;
  /** Stores the sample data that are missing, and sends no mail: their people do not exist. */
  readonly sampleData?: boolean | undefined;
  /** Writes one line for the operator: warnings and failures, without secrets. */
  readonly log: (line: string) => unknown;
}

export interface Served {
  /** The URL on which it listens, without a trailing slash. */
  readonly url: string;
  /** The URL of the metrics that need no token. */
  readonly metricsUrl: string | undefined;
  /** The issuer of the accepted access tokens. */
  readonly authUrl: string;
  readonly dataDirectory: string;
  readonly platform: Platform;
  /** After the first successful start: the first user, whose password is shown only once. */
  readonly firstSignIn: FirstSignIn | undefined;
  /**
   * Waits for `drainDelayMs`, refuses new requests, ends running work or leaves it resumable, and
   * closes, within about `timeoutMs` (default 10 s) more. A second call has no effect.
   */
  stop(timeoutMs?: number): Promise<void>;
}

/**
 * Runs the platform on a port of this machine. Throws E205 for a port or a data directory in use,
 * and E006, E203 or E305 for a directory, a database or a file store that cannot be used.
 */
export async function serve(options: ServeOptions): Promise<Served> {
  const { host, dataDirectory, baseUrl, authUrl } = options;
  refuseBackup(dataDirectory);
  prepareDirectory(dataDirectory);
  const platform = await openPlatform(options);
  for (const risk of platform.risks) {
    options.log(`WARNING: ${risk}: acknowledged writes may be lost. Set it to on, and restart it`);
  }
  if (platform.isPooled) {
    options.log(
      "PostgreSQL is reached through a connection pooler; each transaction sets its own scope",
    );
  }
  if (platform.unsecured !== undefined) options.log(`WARNING: ${platform.unsecured}`);
  if (options.sampleData === true && options.smtpUrl !== undefined) {
    options.log("A platform with sample data sends no mail: the mail server is not used");
  }
  const opening = Promise.withResolvers<void>();
  let server: PlatformServer;
  try {
    const sharing = (options.threads ?? 1) > 1 ? ({ sharing: "opens" } as const) : {};
    server = await listen({ ...options, ...sharing }, platform, opening.promise);
  } catch (error) {
    await platform.close();
    throw error;
  }
  const url = `http://${reachableHost(host)}:${server.port}`;
  let metrics: Bun.Server<undefined> | undefined;
  let threads: ReadingThreads | undefined;
  let firstSignIn: FirstSignIn | undefined;
  try {
    await platform.announce(url);
    if (options.metricsBind !== undefined) {
      metrics = await listenForMetrics(options.metricsBind, platform.metrics);
    }
    if (options.sampleData === true) {
      const { seedSampleData } = await import("./sample-data/seed.ts");
      const { token } = await platform.mintToken({ ttlMs: seedTokenTtlMs });
      const whenRefused = "See the log; another start adds what is missing";
      const fetch = (request: Request): Promise<Response> => platform.fetch(request);
      const admit = (secret: string) => platform.services.invitations.admit(secret);
      await seedSampleData({ baseUrl: url, token, fetch, admit, whenRefused });
    }
    threads = await openThreads(options, platform, server);
    // Last, because nothing after it can fail before the password is shown.
    firstSignIn = await platform.issueFirstPassword();
  } catch (error) {
    await Promise.all([server.stop(true), metrics?.stop(true), threads?.stop(0)]);
    await platform.close();
    throw storageCatalogError(error, options);
  }
  opening.resolve();
  let stopping: Promise<void> | undefined;
  return {
    url,
    metricsUrl: metrics && urlOfMetrics(metrics),
    authUrl: authUrl ?? (baseUrl ?? url) + authPath,
    dataDirectory,
    platform,
    firstSignIn,
    stop: (timeoutMs = stopTimeoutMs) =>
      (stopping ??= keptPromise(
        stop(
          { server, metrics, threads, platform, drainDelayMs: options.drainDelayMs ?? 0 },
          timeoutMs,
        ),
      )),
  };
}

function urlOfMetrics({ hostname = "", port }: Bun.Server<undefined>): string {
  return `http://${reachableHost(hostname)}:${port}${metricsPath}`;
}

/** True if several threads can serve: they need SQLite's file, and Linux to share a port. */
export function mayShare(databaseUrl: string | undefined): boolean {
  return platformName() === "linux" && (databaseUrl === undefined || isSqlite(databaseUrl));
}

async function openThreads(
  options: ServeOptions,
  platform: Platform,
  server: PlatformServer,
): Promise<ReadingThreads | undefined> {
  const { threads = 1, host, baseUrl, trustedProxies } = options;
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
      trustedProxies,
      ...acceptedHosts(host),
    },
  });
  await opened.open();
  return opened;
}

function acceptedHosts(host: string) {
  return { acceptsAddresses: !isLoopbackHost(host), allowedHosts: [host] };
}

function loggerTo(write: ServeOptions["log"]): Logger {
  const log = (event: LogEvent): void => {
    write(JSON.stringify(event));
  };
  return { info: () => {}, warn: log, error: log };
}

function prepareDirectory(directory: string): void {
  const isNew = !existsSync(directory);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // An existing directory keeps its mode.
    if (isNew) chmodSync(directory, 0o700);
    accessSync(directory, constants.R_OK | constants.W_OK);
  } catch (error) {
    // Only a file fails with EEXIST here.
    const words =
      systemErrorCode(error) === "EEXIST" ? "it is not a folder" : systemErrorWords(error);
    const details = `cannot use the data directory ${directory}: ${words}`;
    throw catalogError(
      "E006",
      { details },
      { hint: "Choose another with --data-dir", cause: error },
    );
  }
}

async function openPlatform(options: ServeOptions): Promise<Platform> {
  try {
    return await createPlatform({
      ...options,
      smtpUrl: options.sampleData === true ? undefined : options.smtpUrl,
      ...acceptedHosts(options.host),
      logger: loggerTo(options.log),
      onMigrating: async (bytes) => void (await options.log(migratingWords(bytes))),
    });
  } catch (error) {
    const whenInUse = "Stop the other `svc serve`, or choose another directory with --data-dir";
    throw storageCatalogError(error, options, whenInUse);
  }
}

interface Running {
  readonly server: PlatformServer;
  readonly metrics: Bun.Server<undefined> | undefined;
  readonly threads: ReadingThreads | undefined;
  readonly platform: Platform;
  readonly drainDelayMs: number;
}

async function stop(running: Running, timeoutMs: number): Promise<void> {
  const { server, metrics, threads, platform, drainDelayMs } = running;
  const drainMs = timeoutMs * (1 - closingShare);
  platform.retire(Math.min(drainDelayMs, drainMs / 2));
  if (drainDelayMs > 0) await Bun.sleep(drainDelayMs);
  const endsAt = performance.now() + drainMs;
  // Meanwhile new requests get 503, and streams end.
  threads?.drain();
  // A proxy without health checks learns it from a refusal, which has no effect. A connection that
  // the close cuts may have sent a request that no proxy may repeat.
  const refusing = Bun.sleep(Math.min(drainDelayMs, refusingMs));
  await Promise.all([platform.drain(drainMs), refusing]);
  // Running responses have the rest of the time; idle connections are closed at once.
  const leftMs = endsAt - performance.now();
  await Promise.all([within(leftMs, server.stop(false), undefined), threads?.stop(leftMs)]);
  await Promise.all([server.stop(true), metrics?.stop(true)]);
  await platform.close();
}
