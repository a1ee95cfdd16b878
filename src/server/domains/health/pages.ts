import type { Exchange } from "../../http/exchange.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { HealthService } from "./service.ts";

export function isProbePath(path: string): boolean {
  return path === "/live" || path === "/ready";
}

/**
 * `/live` says that the process can answer, and `/ready` that it should get traffic: 503 when reads
 * fail or the platform is about to stop. Both need no token and no host of this platform.
 */
export class ProbePages {
  constructor(
    private readonly parts: {
      readonly health: Pick<HealthService, "condition">;
      readonly lifetime: Pick<Lifetime, "isRetiring">;
      /** True if writes that fail also make `/ready` 503. */
      readonly needsWrites: boolean;
    },
  ) {}

  /** Undefined for other paths and methods. */
  answer({ path, method }: Exchange): Promise<Response> | undefined {
    if (!isProbePath(path) || (method !== "GET" && method !== "HEAD")) return undefined;
    return path === "/live" ? Promise.resolve(probeResponse(200, { status: "ok" })) : this.#ready();
  }

  async #ready(): Promise<Response> {
    const { lifetime, health, needsWrites } = this.parts;
    if (lifetime.isRetiring) return probeResponse(503, { status: "draining" });
    const { health: body, reads, writes } = await health.condition();
    const isReady = reads && (writes || !needsWrites);
    const { status, components } = body;
    return probeResponse(isReady ? 200 : 503, { status, components });
  }
}

function probeResponse(status: number, body: unknown): Response {
  const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  return Response.json(body, { status, headers });
}
