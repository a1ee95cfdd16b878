import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { catalogError } from "#contract/errors.ts";
import { within } from "#lib/within.ts";
import { isLoopbackHost } from "#lib/loopback.ts";
import type { Peer } from "../http/exchange.ts";
import { networkRequests } from "../http/body/body-stream.ts";

/** Seconds of silence after which a connection is cut: a dripping client holds nothing for long. */
const idleTimeoutSeconds = 15;
/** An upload's sender may stall for longer, on a bad line. */
const uploadIdleTimeoutSeconds = 60;
const lookupLimitMs = 2_000;

export interface ListenOptions {
  /** An address of this machine, or a name of one. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Set when a proxy on this machine may say in `X-Forwarded-For` whom it speaks for. */
  readonly baseUrl?: string | undefined;
  /**
   * Several threads of this process on one port, among which the system shares connections out
   * (`SO_REUSEPORT`): one opens it, the others join.
   */
  readonly sharing?: "opens" | "joins";
}

/**
 * The port is only known once it listens, and sample data are filled in under its address: whoever
 * is early waits until `opening` is over, and never sees a part of them.
 */
export async function listen(
  options: ListenOptions,
  platform: { fetch(request: Request, peer: Peer): Promise<Response> },
  opening: Promise<void>,
): Promise<Bun.Server<undefined>> {
  const { host, port } = options;
  const isProxied = options.baseUrl !== undefined;
  const answer = (request: Request, server: Bun.Server<undefined>): Promise<Response> => {
    if (isUpload(request)) {
      server.timeout(request, uploadIdleTimeoutSeconds);
      networkRequests.add(request);
    }
    return platform.fetch(request, new ServedPeer(request, server, isProxied));
  };
  let isOpen = false;
  void opening.then(() => {
    isOpen = true;
  });
  const serveOn = (at: number): Bun.Server<undefined> =>
    Bun.serve({
      hostname: host,
      port: at,
      idleTimeout: idleTimeoutSeconds,
      // Each route has its own limit; this one only has to be above the largest of them.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: false,
      // Outside of development Bun would share a port that another program listens on.
      reusePort: options.sharing !== undefined,
      fetch(request, server) {
        if (!isOpen) return opening.then(() => answer(request, server));
        return answer(request, server);
      },
      error: () => new Response(null, { status: 500 }),
    });
  try {
    return serveOn(options.sharing === "opens" ? await freePort(host, port) : port);
  } catch (error) {
    throw await listenFailure(options, error);
  }
}

/** A port that nobody listens on: one that is shared would be shared with another program as well. */
async function freePort(host: string, port: number): Promise<number> {
  const probe = Bun.serve({
    hostname: host,
    port,
    reusePort: false,
    fetch: () => new Response(null, { status: 503 }),
  });
  const found = probe.port ?? port;
  await probe.stop(true);
  return found;
}

/** The runtime says "in use" of whatever it can't listen on: what it is has to be found out. */
async function listenFailure({ host, port }: ListenOptions, cause: unknown): Promise<Error> {
  const [address] = await within(lookupLimitMs, lookup(host, { all: true }), []).catch(() => []);
  if (address === undefined || !isOwnAddress(address.address)) {
    const details = `${host} is no address of this machine`;
    const hint =
      "Name one with --host: 127.0.0.1 for this machine alone, 0.0.0.0 for all that reach it";
    return catalogError("E006", { details }, { hint, cause });
  }
  const isInUse = cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
  const details = isInUse
    ? `port ${port} of ${host} is in use`
    : `cannot listen on ${host} port ${port}`;
  const hint = "Choose another port with --port; --port 0 takes a free one";
  return catalogError("E205", { details }, { hint, cause });
}

function isOwnAddress(address: string): boolean {
  if (address === "0.0.0.0" || address === "::" || isLoopbackHost(address)) return true;
  return Object.values(networkInterfaces()).some((addresses = []) =>
    addresses.some((own) => own.address === address),
  );
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
    if (!this.#isProxied || !isLoopbackHost(address)) return address;
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
export function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
