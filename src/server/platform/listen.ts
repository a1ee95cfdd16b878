import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { catalogError } from "#contract/errors.ts";
import { within } from "#lib/time/within.ts";
import { isLoopbackHost } from "#lib/network/loopback.ts";
import type { Peer } from "../http/exchange.ts";
import { metricsPath, metricsResponse } from "../domains/metrics/pages.ts";
import type { Metrics } from "../domains/metrics/service.ts";
import { isProbePath } from "../domains/health/pages.ts";
import { unclearHost } from "../http/guard.ts";
import { ownMachine, TrustedProxies } from "../http/trusted-proxies.ts";
import { isSocketRequest } from "../http/response/socket-request.ts";
import { refusedUnread } from "../http/response/respond.ts";
import { networkRequests } from "../http/body/body-stream.ts";
import { socketHandler, upgraded, type OpenSocket } from "./web-sockets.ts";

/** Idle timeout of a connection, against clients that send very slowly. */
const idleTimeoutSeconds = 15;
/** The idle timeout of an upload, whose client may have a bad line. */
const uploadIdleTimeoutSeconds = 60;
const lookupLimitMs = 2_000;

const ownHints = {
  address: "Give one with --host: 127.0.0.1 for this machine only, 0.0.0.0 for all networks",
  port: "Choose another port with --port; --port 0 takes a free one",
};
const metricsHints = {
  address: "Give one with --metrics-bind, e.g. 127.0.0.1:9464",
  port: "Choose another port with --metrics-bind",
};

/** A server of the platform, whose connections may become WebSockets. */
export type PlatformServer = Bun.Server<OpenSocket>;

export interface ListenOptions {
  /** An address or a name of this machine. */
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly baseUrl?: string | undefined;
  /**
   * Networks of the proxies that name the caller in `X-Forwarded-For` or `Forwarded`. With a public
   * URL the default is a proxy on this machine.
   */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Threads that share one port (`SO_REUSEPORT`): one opens it, the others join. */
  readonly sharing?: "opens" | "joins";
}

/**
 * Listens on the port. Requests wait until `opening` resolves, so that none sees incomplete sample
 * data, which is stored after the port is known.
 */
export async function listen(
  options: ListenOptions,
  platform: { fetch(request: Request, peer: Peer): Promise<Response> },
  opening: Promise<void>,
): Promise<PlatformServer> {
  const { host, port } = options;
  const { trustedProxies = options.baseUrl === undefined ? [] : ownMachine } = options;
  const proxies = new TrustedProxies(trustedProxies);
  const answer = (
    request: Request,
    server: PlatformServer,
  ): Promise<Response | undefined> | Response => {
    // The runtime could not make a URL of the Host field.
    if (request.url.startsWith("/")) {
      if (!isProbePath(request.url)) return refusedUnread(unclearHost(), request.url);
      // A balancer's probe by HTTP/1.0 names no host.
      const probe = new Request(`http://localhost${request.url}`, { method: request.method });
      return platform.fetch(probe, new ServedPeer(request, server, proxies));
    }
    if (isUpload(request)) {
      server.timeout(request, uploadIdleTimeoutSeconds);
      networkRequests.add(request);
    }
    const answered = platform.fetch(request, new ServedPeer(request, server, proxies));
    if (!isSocketRequest(request.headers)) return answered;
    return answered.then((response) => upgraded(request, server, response));
  };
  let isOpen = false;
  opening.then(
    () => {
      isOpen = true;
    },
    () => {},
  );
  const serveOn = (at: number): PlatformServer =>
    Bun.serve<OpenSocket>({
      hostname: host,
      port: at,
      idleTimeout: idleTimeoutSeconds,
      // Each route has its own limit.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: false,
      // Bun's default would share a port with another program.
      reusePort: options.sharing !== undefined,
      fetch(request, server) {
        if (!isOpen) return opening.then(() => answer(request, server));
        return answer(request, server);
      },
      websocket: socketHandler,
      error: () => new Response(null, { status: 500 }),
    });
  return tryToListen(options, ownHints, async () =>
    serveOn(options.sharing === "opens" ? await freePort(host, port) : port),
  );
}

/** Listens on another address, which answers only `GET /metrics`, without a token. */
export function listenForMetrics(
  { host, port }: Pick<ListenOptions, "host" | "port">,
  metrics: Pick<Metrics, "text">,
): Promise<Bun.Server<undefined>> {
  const notFound = (): Response => new Response(null, { status: 404 });
  return tryToListen({ host, port }, metricsHints, () =>
    Bun.serve({
      hostname: host,
      port,
      idleTimeout: idleTimeoutSeconds,
      maxRequestBodySize: 0,
      development: false,
      reusePort: false,
      routes: { [metricsPath]: { GET: () => metricsResponse(metrics) } },
      fetch: notFound,
      error: () => new Response(null, { status: 500 }),
    }),
  );
}

async function tryToListen<Server>(
  options: Pick<ListenOptions, "host" | "port">,
  hints: typeof ownHints,
  listening: () => Server | Promise<Server>,
): Promise<Server> {
  try {
    return await listening();
  } catch (error) {
    throw await listenFailure(options, hints, error);
  }
}

/** A port that no other program listens on; a shared port does not tell. */
async function freePort(host: string, port: number): Promise<number> {
  const probe = Bun.serve({
    hostname: host,
    port,
    reusePort: false,
    fetch: () => new Response(null, { status: 503 }),
  });
  const free = probe.port ?? port;
  await probe.stop(true);
  return free;
}

/** Bun reports every failure as "in use", so this looks for the real one. */
async function listenFailure(
  { host, port }: Pick<ListenOptions, "host" | "port">,
  hints: typeof ownHints,
  cause: unknown,
): Promise<Error> {
  const [address] = await within(lookupLimitMs, lookup(host, { all: true }), []).catch(() => []);
  if (address === undefined || !isOwnAddress(address.address)) {
    const details = `${host} is not an address of this machine`;
    return catalogError("E006", { details }, { hint: hints.address, cause });
  }
  const isInUse = cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
  const details = isInUse
    ? `port ${port} of ${host} is in use`
    : `cannot listen on ${host} port ${port}`;
  return catalogError("E205", { details }, { hint: hints.port, cause });
}

function isOwnAddress(address: string): boolean {
  if (address === "0.0.0.0" || address === "::" || isLoopbackHost(address)) return true;
  return Object.values(networkInterfaces()).some((addresses = []) =>
    addresses.some((own) => own.address === address),
  );
}

class ServedPeer implements Peer {
  constructor(
    private readonly request: Request,
    private readonly server: PlatformServer,
    private readonly proxies: TrustedProxies,
  ) {}

  /** It is computed on access: only limits that are counted by address need it. */
  get address(): string {
    const address = this.server.requestIP(this.request)?.address ?? "unknown";
    return this.proxies.addressOf(address, this.request.headers);
  }

  expectSilence(): void {
    this.server.timeout(this.request, 0);
  }

  expectTraffic(): void {
    this.server.timeout(this.request, idleTimeoutSeconds);
  }
}

const filesPath = /\/v4\/data\/resources\/[^/?]+\/[^/?]+\/[^/?]+\/files\//;

/** True if a request is an upload, from its head alone. */
function isUpload(request: Request): boolean {
  if (request.method !== "POST") return false;
  const { headers, url } = request;
  const isForm = headers.get("content-type")?.startsWith("multipart/") === true;
  // A record's file may be of any type.
  return isForm || filesPath.test(url);
}

/** The host in a URL for this machine: a wildcard address becomes loopback. */
export function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
