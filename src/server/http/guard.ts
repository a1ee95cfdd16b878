import { Refusal } from "#contract/problems.ts";
import { isLoopbackHost } from "#lib/network/loopback.ts";
import type { Exchange } from "./exchange.ts";

export interface GuardOptions {
  /** The configured public address; undefined where only loopback names are accepted. */
  readonly baseUrl: () => string | undefined;
  readonly allowedHosts: readonly string[];
  readonly acceptsAddresses: boolean;
}

/**
 * Refuses requests that a page of another site may have sent from its visitor's browser. The Host
 * must be a name of this platform (against DNS rebinding), the Origin its own (against forms and
 * scripts), and `Sec-Fetch-Site` the same site (against subresources, which have no Origin).
 */
export class Guard {
  readonly #allowed: ReadonlySet<string>;
  /** The host of the last request and its name: most clients of a platform name the same one. */
  #last: { readonly host: string; readonly name: string | undefined } | undefined;

  constructor(private readonly options: GuardOptions) {
    this.#allowed = new Set(options.allowedHosts.map((host) => host.toLowerCase()));
  }

  check(exchange: Exchange): void {
    const { headers } = exchange;
    const host = headers.get("host");
    // Only a call inside the process may have none (RFC 9112, 3.2).
    if (host === null && exchange.peer !== undefined) throw unclearHost();
    if (host !== null && host !== "" && this.#nameOf(host) === undefined) throw unclearHost();
    if (host !== null && !this.isOwnHost(host)) throw refused("Host", "; see svc serve --base-url");
    const origin = headers.get("origin");
    if (origin !== null && origin !== exchange.baseUrl && origin !== this.options.baseUrl()) {
      throw refused("Origin");
    }
    const site = headers.get("sec-fetch-site");
    if (site === null || site === "same-origin" || site === "none") return;
    // A link on another site may lead here.
    const isVisit = headers.get("sec-fetch-mode") === "navigate" && exchange.method === "GET";
    if (!isVisit) throw refused("Sec-Fetch-Site");
  }

  isOwnHost(host: string): boolean {
    const name = this.#nameOf(host);
    if (name === undefined) return false;
    if (isLoopbackHost(name)) return true;
    if (this.#allowed.has(name)) return true;
    const base = this.options.baseUrl();
    if (base !== undefined && hostname(new URL(base).host) === name) return true;
    return this.options.acceptsAddresses && isAddress(name);
  }

  #nameOf(host: string): string | undefined {
    if (this.#last?.host !== host) this.#last = { host, name: hostname(host) };
    return this.#last.name;
  }
}

function refused(field: string, advice = ""): Refusal {
  return new Refusal("origin-refused", {
    detail: `Cannot answer this request: its ${field} field is not of this platform${advice}`,
  });
}

/** A missing Host, two of them, or one that is no host and port. */
export function unclearHost(): Refusal {
  return new Refusal("malformed-request", {
    detail: "Cannot answer this request: expected one Host field with a host and its port",
    headers: { connection: "close" },
  });
}

/** A name, an IPv4 address or an IPv6 address in brackets, and perhaps a port. */
const hostPattern = /^(\[[\da-f:.]+\]|[\w.~-]+)(?::\d{1,5})?$/;

/** The host without its port, in lower case; undefined for any other text. */
function hostname(host: string): string | undefined {
  return hostPattern.exec(host.toLowerCase())?.[1];
}

function isAddress(name: string): boolean {
  return name.startsWith("[") || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name);
}
