import { parsedJson } from "#lib/json/value.ts";
import * as z from "zod";
import { Refusal } from "#contract/problems.ts";
import type { Secrets } from "../secrets/service.ts";

/** A granted stream: it opens for this caller, workspace and filter only. */
const grant = z.object({
  token: z.string(),
  workspaceId: z.string(),
  filter: z.string(),
  endsAtMs: z.number(),
});
export type StreamGrant = z.output<typeof grant>;

const name = "stream";
const lifeMs = 5 * 60 * 1000;

/** Tokens in the URLs of streams. Each contains the caller's own token, sealed. */
export class StreamGrants {
  constructor(
    private readonly parts: {
      readonly secrets: Pick<Secrets, "seal" | "unseal">;
      readonly now: () => Date;
    },
  ) {}

  make(given: Omit<StreamGrant, "endsAtMs">): { accessToken: string; expiresAt: string } {
    const endsAtMs = this.parts.now().getTime() + lifeMs;
    const accessToken = this.parts.secrets.seal(name, JSON.stringify({ ...given, endsAtMs }));
    return { accessToken, expiresAt: new Date(endsAtMs).toISOString() };
  }

  /** Refuses 401 for a token that is changed or of the past. */
  open(accessToken: string): StreamGrant {
    const opened = grant.safeParse(this.#unsealed(accessToken));
    if (!opened.success) throw new Refusal("token-invalid");
    if (opened.data.endsAtMs <= this.parts.now().getTime()) throw new Refusal("token-expired");
    return opened.data;
  }

  /** The caller's token of a request for a granted stream; undefined for other requests. */
  tokenOf(routeId: string, search: string): string | undefined {
    if (routeId !== "realtime.events") return undefined;
    const accessToken = new URLSearchParams(search).get("access_token");
    return accessToken === null ? undefined : this.open(accessToken).token;
  }

  #unsealed(accessToken: string): unknown {
    try {
      return parsedJson(this.parts.secrets.unseal(name, accessToken));
    } catch {
      return undefined;
    }
  }
}
