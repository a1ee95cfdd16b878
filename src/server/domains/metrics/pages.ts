import { Refusal } from "#contract/problems.ts";
import type { Exchange } from "../../http/exchange.ts";
import { unauthenticated } from "../../http/pipeline-refusals.ts";
import type { RateLimiter } from "../../http/rates/rate-limiter.ts";
import { bearerToken } from "../../http/request-headers.ts";
import type { TokenPort } from "../../work/ports.ts";
import { roleTooLow } from "../../work/refusals.ts";
import { metricMediaType } from "./metric-text.ts";
import type { Metrics } from "./service.ts";

export const metricsPath = "/metrics";

/** `GET /metrics` for an administrator of the installation. */
export class MetricsPages {
  constructor(
    private readonly parts: {
      readonly metrics: Pick<Metrics, "text">;
      readonly tokens: TokenPort;
      readonly rates: Pick<RateLimiter, "take">;
    },
  ) {}

  /** The response to `/metrics`; undefined for every other path. */
  answer(exchange: Exchange): Promise<Response> | undefined {
    return exchange.path === metricsPath ? this.#serve(exchange) : undefined;
  }

  async #serve(exchange: Exchange): Promise<Response> {
    const { method, headers } = exchange;
    if (method !== "GET" && method !== "HEAD") {
      throw new Refusal("method-not-allowed", { headers: { allow: "GET, HEAD" } });
    }
    const token = bearerToken({ headers });
    if (token === undefined) throw unauthenticated();
    let principal;
    try {
      principal = await this.parts.tokens.verify(token);
    } catch (error) {
      // Guesses count for the address, since there is no caller.
      await this.parts.rates.take(exchange.address, exchange.responseFields);
      throw error;
    }
    await this.parts.rates.take(principal.oid, exchange.responseFields);
    const isOfApp = principal.appWorkspaceId !== undefined;
    if (!principal.systemAdmin || isOfApp) throw roleTooLow("system-admin", "none");
    return metricsResponse(this.parts.metrics);
  }
}

export async function metricsResponse(metrics: Pick<Metrics, "text">): Promise<Response> {
  return new Response(await metrics.text(), {
    headers: { "content-type": metricMediaType, "cache-control": "no-store" },
  });
}
