import { Refusal } from "#contract/problems.ts";
import { isLoopbackHost } from "#lib/loopback.ts";
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

  constructor(private readonly options: GuardOptions) {
    this.#allowed = new Set(options.allowedHosts.map((host) => host.toLowerCase()));
  }

  check(exchange: Exchange): void {
    const { headers } = exchange;
    const host = headers.get("host");
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
    const name = hostname(host);
    if (isLoopbackHost(name)) return true;
    if (this.#allowed.has(name)) return true;
    const base = this.options.baseUrl();
    if (base !== undefined && hostname(new URL(base).host) === name) return true;
    return this.options.acceptsAddresses && isAddress(name);
  }
}

function refused(field: string, advice = ""): Refusal {
  return new Refusal("origin-refused", {
    detail: `Cannot answer this request: its ${field} field is not of this platform${advice}`,
  });
}

/** The name in a Host field, without its port, in lower case. */
function hostname(host: string): string {
  const lower = host.toLowerCase();
  if (lower.startsWith("[")) return lower.slice(0, lower.indexOf("]") + 1);
  const colon = lower.indexOf(":");
  return colon < 0 ? lower : lower.slice(0, colon);
}

function isAddress(name: string): boolean {
  return name.startsWith("[") || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name);
}
