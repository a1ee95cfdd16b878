import { html } from "#lib/text/html.ts";
import { Refusal } from "#contract/problems.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { formPages } from "../../../http/response/form-page.ts";
import { RateLimiter } from "../../../http/rates/rate-limiter.ts";
import type { Limits } from "../../../kit/limits.ts";
import type { RequestCounts } from "../../../kit/turns/request-counts.ts";
import {
  unsubscribePath,
  type Unsubscription,
  type UnsubscribeTokens,
} from "./unsubscribe-token.ts";

const page = formPages();

/**
 * Ends mails without a sign-in: `POST` at once, as mail programs do (RFC 8058); `GET` shows a
 * button, because programs that look at the links of a mail must not end anything.
 */
export class UnsubscribePages {
  readonly #rates: RateLimiter;

  constructor(
    private readonly parts: {
      readonly tokens: UnsubscribeTokens;
      readonly unsubscribe: (unsubscription: Unsubscription) => Promise<void>;
      readonly counts: RequestCounts;
      readonly limits: Limits;
      readonly now: () => Date;
    },
  ) {
    const { counts, limits, now } = parts;
    this.#rates = new RateLimiter({
      name: "unsubscribe",
      counts,
      requests: limits.signInRequests,
      windowSeconds: limits.signInWindowSeconds,
      now: () => now().getTime(),
    });
  }

  /** Undefined for every other path. */
  answer(exchange: Exchange): Promise<Response> | undefined {
    return exchange.path === unsubscribePath ? this.#answer(exchange) : undefined;
  }

  async #answer(exchange: Exchange): Promise<Response> {
    const { method, search, address, responseFields } = exchange;
    if (method !== "GET" && method !== "HEAD" && method !== "POST") {
      throw new Refusal("method-not-allowed", { headers: { allow: "GET, HEAD, POST" } });
    }
    await this.#rates.take(address, responseFields);
    const found = this.parts.tokens.read(new URLSearchParams(search).get("token") ?? "");
    if (found === undefined) {
      const words = "This link is not valid: use the link of the mail as it is.";
      return page("Link not valid", html`<p>${words}</p>`, { status: 404 });
    }
    const which = found.workspaceId === undefined ? "all your workspaces" : "this workspace";
    if (method === "POST") {
      await this.parts.unsubscribe(found);
      const words = `Alerts of ${which} are no longer mailed to you. Your alerts are in the list as before: svc alert list`;
      return page("Mails stopped", html`<p>${words}</p>`);
    }
    const form = html`<p>Stop the mails with alerts of ${which}?</p>
      <form method="post"><button>Stop the mails</button></form>`;
    return page("Stop mails", form);
  }
}
