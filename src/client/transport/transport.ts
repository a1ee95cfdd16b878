import { catalogError, type CatalogError } from "#contract/errors.ts";
import { keyAnnouncement, replayFields } from "#contract/shared-names.ts";
import { noteAbortOutcome } from "#lib/time/abort-outcome.ts";
import { given } from "#lib/given.ts";
import { isReadableOnNetwork, networkFetch } from "#lib/network/network-fetch.ts";
import { sleep } from "#lib/time/sleep.ts";
import type { TimeLimit } from "#lib/time/time-limit.ts";
import type { ConnectionFailure } from "./connection.ts";
import type { PlatformError } from "../failures.ts";
import type { ClientOptions, TokenSource } from "../options.ts";
import { isStreamed, requestBody, sendsStreams, type Outgoing } from "./outgoing.ts";
import { RetryPlan } from "./retry-plan.ts";
import { senderOf, type Sender } from "./sender.ts";

const lateWords = "no response came within the time limit";

/** Sends requests to one origin: credentials, retries and error messages. */
export class Transport {
  readonly #options: ClientOptions;
  readonly #origin: string;
  readonly #plan: RetryPlan;
  /** True if the network could read a token. */
  readonly #isReadable: boolean;
  /** Routes whose deprecation was already reported. */
  readonly #notices = new Set<string>();
  #sender: Promise<Sender> | undefined;
  #lastToken = "";
  /** The origin has shown that it honours `Idempotency-Key`. */
  #honoursKeys = false;
  /** Last responses of calls of which an earlier attempt may have had its effect. */
  readonly #unsettled = new WeakSet<Response>();

  constructor(options: ClientOptions, baseUrl: URL) {
    this.#options = options;
    this.#origin = baseUrl.origin;
    const { fetch, insecureHttp = false } = options;
    this.#isReadable = fetch === undefined && !insecureHttp && isReadableOnNetwork(baseUrl);
    this.#plan = new RetryPlan(options.retry);
  }

  /**
   * Returns the unread response with any status. Throws E101 without a token, E201 without a
   * response, E203 for a redirect, and the signal's reason.
   */
  async send(outgoing: Outgoing, limit: TimeLimit): Promise<Response> {
    const { readOnly } = this.#options;
    if (readOnly !== undefined && !outgoing.asks) throw notSent(outgoing, readOnly);
    let token = outgoing.signedIn ? await this.#token() : undefined;
    let isRenewed = false;
    let isUnknown = false;
    let failures = 0;
    let waits = 0;
    for (let sent = 1; ; sent += 1) {
      const sentAtMs = performance.now();
      const result = await this.#attempt(outgoing, token, limit, sent);
      if (result instanceof Response) {
        this.#honoursKeys ||= showsHonouredKeys(result);
        if (!isRenewed && token !== undefined && (await this.#mayRenew(outgoing, result))) {
          await result.body?.cancel();
          isRenewed = true;
          token = await this.#token(token);
          continue;
        }
        if (failures > 0 && (await isStillRunning(result))) {
          // The platform still runs an earlier attempt of this call.
          await result.body?.cancel();
          waits += 1;
          const pauseMs = this.#plan.waitMs(waits, limit, result);
          if (pauseMs === undefined) throw await this.#unreachable(await this.#late(), outgoing);
          await this.#pause(pauseMs, limit);
          continue;
        }
      }
      failures += 1;
      const attempt = { result, tookMs: performance.now() - sentAtMs };
      const pauseMs = this.#plan.pauseMs(outgoing, failures, limit, attempt, this.#honoursKeys);
      if (result instanceof Response) {
        if (pauseMs === undefined) {
          if (isUnknown) this.#unsettled.add(result);
          return await this.#accept(outgoing, result, sent);
        }
        const { leavesEffectOpen } = await import("../failures.ts");
        isUnknown ||= leavesEffectOpen(result.status, result.headers);
        await result.body?.cancel();
      } else {
        isUnknown ||= !result.neverSent;
        if (pauseMs === undefined) {
          throw await this.#unreachable(result.reason, isUnknown ? outgoing : undefined);
        }
      }
      await this.#pause(pauseMs, limit);
    }
  }

  /** The error of a response that is not a success, without the token. */
  async errorOf(response: Response, subject?: string, outgoing?: Outgoing): Promise<PlatformError> {
    const [{ errorFromResponse }, { unknownOutcome }] = await Promise.all([
      import("../failures.ts"),
      import("./unreachable.ts"),
    ]);
    const unexplained = outgoing === undefined ? undefined : unknownOutcome(outgoing);
    const isUnsettled = this.#unsettled.has(response);
    const secrets = [this.#lastToken];
    const context = { subject, unexplained, isUnsettled, secrets };
    return await errorFromResponse(response, { ...context, route: outgoing });
  }

  async interrupted(error: unknown, limit: TimeLimit, outgoing: Outgoing): Promise<CatalogError> {
    const { connectionFailure, through } = await import("./connection.ts");
    const { proxyVariable } = this.#options;
    const route = proxyVariable === undefined ? "" : through(proxyVariable);
    const reason = limit.expired
      ? `the time limit passed before the response ended${route}`
      : connectionFailure(error, proxyVariable).reason;
    return await this.#unreachable(reason, outgoing);
  }

  async #token(rejected?: string): Promise<string> {
    if (this.#isReadable) throw readableToken(this.#origin);
    const source: string | TokenSource | undefined = this.#options.token;
    const token = typeof source === "function" ? await source(rejected) : source;
    if (token === undefined || token === "") throw catalogError("E101");
    // The runtime's error for an invalid header would print the token.
    if (!/^[\x21-\x7e]+$/.test(token)) throw catalogError("E103");
    this.#lastToken = token;
    return token;
  }

  async #attempt(
    outgoing: Outgoing,
    token: string | undefined,
    limit: TimeLimit,
    sent: number,
  ): Promise<Response | ConnectionFailure> {
    if (!limit.expired) limit.signal.throwIfAborted();
    const headers = new Headers(outgoing.headers);
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    const startedAtMs = performance.now();
    const trace = (facts: { status?: number; failure?: string; requestId?: string }) =>
      this.#options.onRequest?.({
        method: outgoing.method,
        url: outgoing.url.replace(/\?.*$/, "?…"),
        attempt: sent,
        durationMs: Math.round(performance.now() - startedAtMs),
        ...facts,
      });
    const settled = isStreamed(outgoing.body) ? undefined : this.#options.onSend?.();
    try {
      const response = await this.#deliver(outgoing, headers, limit);
      const requestId = response.headers.get("x-request-id") ?? undefined;
      trace({ status: response.status, ...given({ requestId }) });
      return response;
    } catch (error) {
      // The runtime's error may have the request with its token, so it is never rethrown.
      if (isStreamed(outgoing.body) && outgoing.body.failure !== undefined) {
        throw outgoing.body.failure;
      }
      if (limit.signal.aborted && !limit.expired) {
        const { abandonedOutcome } = await import("./unreachable.ts");
        noteAbortOutcome(limit.signal.reason, abandonedOutcome(outgoing));
        limit.signal.throwIfAborted();
      }
      const failure = limit.expired
        ? { reason: await this.#late(), neverSent: false, hopeless: true }
        : (await import("./connection.ts")).connectionFailure(error, this.#options.proxyVariable);
      trace({ failure: failure.reason });
      return failure;
    } finally {
      settled?.();
    }
  }

  async #deliver(outgoing: Outgoing, headers: Headers, limit: TimeLimit): Promise<Response> {
    const { body, method, url } = outgoing;
    const send = async (sent?: ReturnType<typeof requestBody>): Promise<Response> => {
      const sender = await (this.#sender ??= senderOf((request) => this.#fetch(request)));
      return await sender(url, { method, headers, signal: limit.signal, ...given({ body: sent }) });
    };
    if (!isStreamed(body) || sendsStreams) return await send(body && requestBody(body));
    const { sendWhole } = await import("./whole-body.ts");
    const isRuntimes = this.#options.fetch === undefined;
    return await sendWhole({ method, url, headers, body }, limit, isRuntimes, send);
  }

  #fetch(request: Request): Promise<Response> {
    const own = isRepeated(request) ? ownConnection : undefined;
    return (this.#options.fetch ?? networkFetch)(request, own);
  }

  async #pause(durationMs: number, limit: TimeLimit): Promise<void> {
    try {
      await sleep(durationMs, limit.signal);
    } catch (error) {
      if (limit.expired) throw await this.#unreachable(await this.#late());
      throw error;
    }
  }

  /** True to renew a refused token; a streamed body can't be sent again. */
  async #mayRenew(outgoing: Outgoing, response: Response): Promise<boolean> {
    if (response.status !== 401 || typeof this.#options.token !== "function") return false;
    if (isStreamed(outgoing.body)) return false;
    const { errorFromResponse } = await import("../failures.ts");
    return (await errorFromResponse(response.clone())).code === "E102";
  }

  async #accept(outgoing: Outgoing, response: Response, sent: number): Promise<Response> {
    if (response.status < 500) this.#plan.earn(sent > 1);
    await this.#announce(outgoing, response.headers);
    // Credentials and body go to one origin only, so redirects are not followed.
    const { status, type } = response;
    if ((status >= 300 && status < 400 && status !== 304) || type === "opaqueredirect") {
      throw await this.errorOf(response);
    }
    return response;
  }

  /** Reports the first response that announces the end of its route. */
  async #announce({ method, route }: Outgoing, headers: Headers): Promise<void> {
    if (!headers.has("deprecation") && !headers.has("sunset")) return;
    const { deprecationOf } = await import("./deprecation.ts");
    const notice = deprecationOf(method, route, headers);
    if (notice === undefined || this.#notices.has(`${method} ${route}`)) return;
    this.#notices.add(`${method} ${route}`);
    this.#options.onDeprecation?.(notice);
  }

  async #unreachable(reason: string, outgoing?: Outgoing): Promise<CatalogError> {
    const { unreachable } = await import("./unreachable.ts");
    return unreachable(this.#origin, reason, outgoing);
  }

  async #late(): Promise<string> {
    const { proxyVariable } = this.#options;
    if (proxyVariable === undefined) return lateWords;
    return `${lateWords}${(await import("./connection.ts")).through(proxyVariable)}`;
  }
}

// The runtime repeats PUT and DELETE when a reused connection is closed. The first request may have
// had its effect; the second is then refused as a conflict or not found.
const ownConnection: RequestInit = { keepalive: false };

function isRepeated({ method }: Request): boolean {
  return method === "PUT" || method === "DELETE";
}

function showsHonouredKeys({ headers }: Response): boolean {
  return (
    headers.get(keyAnnouncement.name)?.trim() === keyAnnouncement.value ||
    replayFields.some((name) => headers.get(name)?.trim().toLowerCase() === "true")
  );
}

/** True if the platform still runs a request with the same `Idempotency-Key`. */
async function isStillRunning(response: Response): Promise<boolean> {
  if (response.status !== 409) return false;
  const { errorFromResponse } = await import("../failures.ts");
  const { problem } = await errorFromResponse(response.clone());
  return problem?.["code"] === "request-in-progress";
}

function readableToken(origin: string): CatalogError {
  return catalogError(
    "E104",
    { details: `${origin} is not https, so the network could read the access token` },
    { hint: "Use an https address, or --insecure-http (SVC_INSECURE_HTTP=1) to send it anyway" },
  );
}

/** The refusal of a change by a client that only reads. */
function notSent({ method, route }: Outgoing, reason: string): CatalogError {
  const detail = `${method} ${route} was not sent: ${reason}`;
  return catalogError("E204", {}, { problem: { code: "read-only", detail }, hint: detail });
}
