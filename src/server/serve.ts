import { isIP } from "node:net";
import { accessSync, chmodSync, constants, existsSync, mkdirSync } from "node:fs";
import { catalogError } from "#contract/errors.ts";
import { authPath } from "#contract/sign-in.ts";
import { within } from "#lib/within.ts";
import { createPlatform, type FirstSignIn, type LogEvent } from "./platform.ts";
import type { Peer, Platform } from "./platform.ts";
import type { PlatformOptions } from "./platform/options.ts";
import { storageFailure } from "./platform/storage-failure.ts";
import { receivedRequests } from "./received-requests.ts";

const stopTimeoutMs = 10_000;
/** Of that time, what is kept for closing: the last checkpoint of a large database takes a while. */
const closingShare = 0.2;
const seedTokenTtlMs = 10 * 60 * 1000;
/** Seconds of silence after which a connection is cut: a dripping client holds nothing for long. */
const idleTimeoutSeconds = 15;
/** An upload's sender may stall for longer, on a bad line. */
const uploadIdleTimeoutSeconds = 60;

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
  prepareDirectory(dataDirectory);
  const platform = await openPlatform(options);
  const opening = Promise.withResolvers<void>();
  let server: Bun.Server<undefined>;
  try {
    server = listen(options, platform, opening.promise);
  } catch (error) {
    await platform.close();
    throw error;
  }
  const url = `http://${reachableHost(host)}:${server.port}`;
  let firstSignIn: FirstSignIn | undefined;
  try {
    await platform.announce(url);
    if (options.sampleData === true) {
      const { seedSampleData } = await import("./sample-data/seed.ts");
      const { token } = await platform.mintToken({ ttlMs: seedTokenTtlMs });
      await seedSampleData({ baseUrl: url, token, fetch: (request) => platform.fetch(request) });
    }
    // Last: from here on nothing can keep it from being shown.
    firstSignIn = await platform.issueFirstPassword();
  } catch (error) {
    await server.stop(true);
    await platform.close();
    throw error;
  }
  opening.resolve();
  let stopping: Promise<void> | undefined;
  return {
    url,
    authUrl: authUrl ?? (baseUrl ?? url) + authPath,
    dataDirectory,
    platform,
    firstSignIn,
    stop: (timeoutMs = stopTimeoutMs) => (stopping ??= stop(server, platform, timeoutMs)),
  };
}

function prepareDirectory(directory: string): void {
  const isNew = !existsSync(directory);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // Only our own: somebody else's directory keeps the mode it was given.
    if (isNew) chmodSync(directory, 0o700);
    accessSync(directory, constants.R_OK | constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "failed";
    const details = `cannot use the data directory ${directory} (${reason})`;
    throw catalogError("E006", { details }, { hint: "Name another with --data-dir", cause: error });
  }
}

async function openPlatform(options: ServeOptions): Promise<Platform> {
  const { dataDirectory, databaseUrl, baseUrl, authUrl, limits, host } = options;
  const { filesUrl, filesCredentials } = options;
  const log = (event: LogEvent): void => void options.log(JSON.stringify(event));
  try {
    return await createPlatform({
      dataDirectory,
      extractionCommand: options.extractionCommand,
      logger: { info: () => {}, warn: log, error: log },
      acceptsAddresses: !isLoopbackAddress(host),
      allowedHosts: [host],
      ...(databaseUrl === undefined ? {} : { databaseUrl }),
      ...(filesUrl === undefined ? {} : { filesUrl }),
      ...(filesCredentials === undefined ? {} : { filesCredentials }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(authUrl === undefined ? {} : { authUrl }),
      ...(limits === undefined ? {} : { limits }),
    });
  } catch (error) {
    const whenInUse = "Stop the other `svc serve`, or name another directory with --data-dir";
    throw storageFailure(error, options, whenInUse);
  }
}

/**
 * The port is only known once it listens, and sample data are filled in under its address: whoever
 * is early waits until `opening` is over, and never sees a part of them.
 */
function listen(
  options: ServeOptions,
  platform: Platform,
  opening: Promise<void>,
): Bun.Server<undefined> {
  const { host, port } = options;
  const isProxied = options.baseUrl !== undefined;
  const answer = (request: Request, server: Bun.Server<undefined>): Promise<Response> => {
    if (isUpload(request)) {
      server.timeout(request, uploadIdleTimeoutSeconds);
      receivedRequests.add(request);
    }
    return platform.fetch(request, new ServedPeer(request, server, isProxied));
  };
  let isOpen = false;
  void opening.then(() => {
    isOpen = true;
  });
  try {
    return Bun.serve({
      hostname: host,
      port,
      idleTimeout: idleTimeoutSeconds,
      // Each route has its own limit; this one only has to be above the largest of them.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: false,
      // Outside of development Bun would share a port that another program listens on.
      reusePort: false,
      fetch(request, server) {
        if (!isOpen) return opening.then(() => answer(request, server));
        return answer(request, server);
      },
      error: () => new Response(null, { status: 500 }),
    });
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? error.code : undefined;
    const details =
      reason === "EADDRINUSE"
        ? `port ${port} of ${host} is in use`
        : `cannot listen on ${host} port ${port}`;
    throw catalogError(
      "E205",
      { details },
      { hint: "Choose another port with --port; --port 0 takes a free one", cause: error },
    );
  }
}

/** The caller at the other end of a connection. */
class ServedPeer implements Peer {
  readonly #request: Request;
  readonly #server: Bun.Server<undefined>;
  readonly #isProxied: boolean;

  constructor(request: Request, server: Bun.Server<undefined>, isProxied: boolean) {
    this.#request = request;
    this.#server = server;
    this.#isProxied = isProxied;
  }

  /** Asked for only where limits are counted by address. */
  get address(): string {
    const address = this.#server.requestIP(this.#request)?.address ?? "unknown";
    if (!this.#isProxied || !isLoopbackAddress(address)) return address;
    // The last one is what the proxy itself has seen; those before it are its caller's words.
    const seen = this.#request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
    return isIP(seen) === 0 ? address : seen;
  }

  expectSilence(): void {
    this.#server.timeout(this.#request, 0);
  }

  expectTraffic(): void {
    this.#server.timeout(this.#request, idleTimeoutSeconds);
  }
}

const filesPath = /\/v4\/data\/resources\/[^/?]+\/[^/?]+\/[^/?]+\/files\//;

/** Told from its head alone, since its sender is waited for before anybody knows who it is. */
function isUpload(request: Request): boolean {
  if (request.method !== "POST") return false;
  const { headers, url } = request;
  const isForm = headers.get("content-type")?.startsWith("multipart/") === true;
  // A record's file may be of any type.
  return isForm || filesPath.test(url);
}

/** A host that a program of this machine can name: a wildcard address is not one. */
function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

function isLoopbackAddress(host: string): boolean {
  return host === "localhost" || host === "::1" || /^(?:::ffff:)?127\./.test(host);
}

async function stop(
  server: Bun.Server<undefined>,
  platform: Platform,
  timeoutMs: number,
): Promise<void> {
  const drainMs = timeoutMs * (1 - closingShare);
  const endsAt = performance.now() + drainMs;
  // Still answered meanwhile: what is new gets 503, streams are told to end.
  await platform.drain(drainMs);
  // Bodies that are being sent have what is left of the time; idle connections have none.
  await within(endsAt - performance.now(), server.stop(false), undefined);
  await server.stop(true);
  await platform.close();
}
