import { Refusal } from "#contract/problems.ts";
import { chained, type Promisable } from "../kit/promisable.ts";
import { Exchange, routedMethod } from "./exchange.ts";
import type { ExchangeHost, Peer } from "./exchange.ts";
import { problemOf, shuttingDown } from "./failure.ts";
import { FailureLog } from "./failure-log.ts";
import { faultAt, invalid } from "./faults.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import type { Guard } from "./guard.ts";
import { bearerToken, unauthenticated } from "./bearer-token.ts";
import { PathSegments } from "./routing/path-segments.ts";
import { OpenStreams } from "./open-streams.ts";
import type { RateLimiter } from "./rates/rate-limiter.ts";
import { RequestTurns } from "./request-batches.ts";
import { validateBody, validateParams, validateQuery } from "./validate.ts";
import { entered, namedWorkspace } from "./workspace.ts";
import type { WorkspaceScope } from "./handler.ts";
import type { Limits } from "../kit/limits.ts";
import type { Logger } from "../kit/logger.ts";
import { problemResponse, replay, respond } from "./response/respond.ts";
import type { Router } from "./routing/router.ts";
import type { AccessService } from "../domains/workspaces/access.ts";
import { LeaderOnlyError } from "../kit/storage-errors.ts";
import { KeyClaim, type IdempotencyService } from "../domains/idempotency/service.ts";
import type { TokenService } from "../domains/tokens/service.ts";
import { roleTooLow } from "../domains/workspaces/service.ts";

/** What the pipeline works with. */
export interface PipelineParts {
  readonly router: Pick<Router, "find" | "methods">;
  readonly guard: Pick<Guard, "check">;
  readonly rates: Pick<RateLimiter, "take">;
  readonly tokens: Pick<TokenService, "verify">;
  readonly access: Pick<AccessService, "roleIn">;
  readonly idempotency: Pick<IdempotencyService, "claim" | "run">;
  readonly limits: Limits;
  readonly logger: Logger;
  readonly draining: AbortSignal;
  readonly baseUrlOf: (exchange: Exchange) => string;
  /** Answers sign-in's own addresses; undefined for every other path. */
  readonly signIn: (exchange: Exchange) => Promise<Response> | undefined;
  /** In a thread that only reads: the main thread's answer to what turned out to be more. */
  readonly handOver?: (exchange: Exchange) => Promise<Response>;
}

/** Fills its part of the exchange, answers it, or throws a refusal. */
type Step = (exchange: Exchange) => Promisable<unknown>;

const pathLimit = 8_192;

/** One request at a time from the door to its answer. Every request takes these steps, in order. */
export class Pipeline implements ExchangeHost {
  readonly #parts: PipelineParts;
  #running = 0;
  #onIdle: (() => void) | undefined;

  readonly steps: readonly Step[] = [
    (exchange) => this.#identify(exchange),
    (exchange) => this.#guard(exchange),
    () => this.#refuseWhenBusy(),
    (exchange) => this.#signIn(exchange),
    (exchange) => this.#matchRoute(exchange),
    (exchange) => this.#authenticate(exchange),
    (exchange) => this.#limitRate(exchange),
    (exchange) => this.#requireSystemAdmin(exchange),
    (exchange) => this.#enterNamedWorkspace(exchange),
    (exchange) => this.#negotiate(exchange),
    (exchange) => this.#limitStreams(exchange),
    (exchange) => validateParams(exchange),
    (exchange) => validateQuery(exchange),
    (exchange) =>
      validateBody(exchange, {
        limitBytes: this.#parts.limits.jsonBodyBytes,
        isKept: this.#parts.handOver !== undefined,
      }),
    (exchange) => this.#claimJsonKey(exchange),
    () => this.#turns.end(),
    (exchange) => this.#handle(exchange),
  ];

  /** Signals of requests that somebody listens to, aborted when the platform drains. */
  readonly #held = new Set<AbortController>();

  readonly #streams: OpenStreams;
  readonly #turns = new RequestTurns();
  readonly #failures: FailureLog;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    this.#streams = new OpenStreams(parts.limits.streamsPerCaller);
    this.#failures = new FailureLog(parts);
    parts.draining.addEventListener("abort", () => {
      for (const controller of this.#held) controller.abort(shuttingDown());
      this.#held.clear();
    });
  }

  hold(controller: AbortController): void {
    if (this.#parts.draining.aborted) controller.abort(shuttingDown());
    else this.#held.add(controller);
  }

  release(controller: AbortController): void {
    this.#held.delete(controller);
  }

  /** How many requests are held, for tests of what stays behind. */
  get held(): number {
    return this.#held.size;
  }

  /** Requests whose handler has not answered yet. */
  get running(): number {
    return this.#running;
  }

  /** Resolves when no handler runs. */
  idle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  async fetch(request: Request, peer?: Peer): Promise<Response> {
    const exchange = new Exchange(this, request, peer);
    this.#running += 1;
    try {
      for (const step of this.steps) {
        const pending = step(exchange);
        if (pending instanceof Promise) await pending;
        if (exchange.response !== undefined) break;
      }
      if (exchange.claimed !== undefined) await exchange.claimed.finish(true);
    } catch (error) {
      await exchange.claimed?.finish(false);
      const { handOver } = this.#parts;
      exchange.response =
        handOver !== undefined && error instanceof LeaderOnlyError
          ? await handOver(exchange)
          : this.#refuse(exchange, error);
    } finally {
      if (!exchange.isStreaming) exchange.release();
      this.#running -= 1;
      if (this.#running === 0) this.#onIdle?.();
    }
    return withoutBodyForHead(exchange);
  }

  baseUrlOf(exchange: Exchange): string {
    return this.#parts.baseUrlOf(exchange);
  }

  /** Membership, then role; `place` is where the request names the workspace. */
  enterWorkspace(
    exchange: Exchange,
    tenantId: string,
    place: readonly string[],
  ): Promisable<WorkspaceScope> {
    const { workspace } = exchange;
    if (workspace !== undefined && workspace.id !== tenantId) {
      throw invalid([faultAt("body", place, "names another workspace than X-Tenant-Id")]);
    }
    if (workspace !== undefined) return workspace;
    const role = this.#parts.access.roleIn(tenantId, exchange.principal.oid);
    return chained(role, (known) => entered(exchange, tenantId, known));
  }

  /** Holds the request's key for this content; a key with an answer ends the request with it. */
  async claimKey(exchange: Exchange, fingerprint: string): Promise<void> {
    const key = idempotencyKey(exchange);
    if (key === undefined) return;
    const outcome = await this.#parts.idempotency.claim({
      workspaceId: exchange.workspace?.id ?? "",
      oid: exchange.principal.oid,
      key,
      fingerprint: `${exchange.method} ${exchange.path}?${exchange.search} ${fingerprint}`,
    });
    if (outcome instanceof KeyClaim) exchange.claimed = outcome;
    else throw new Replayed(replay(exchange, outcome));
  }

  #identify(exchange: Exchange): void {
    const given = exchange.headers.get("x-request-id");
    exchange.requestId =
      given !== null && /^[\w.:=@+/-]{1,128}$/.test(given) ? given : Bun.randomUUIDv7();
  }

  #guard(exchange: Exchange): void {
    this.#parts.guard.check(exchange);
    if (exchange.path.length > pathLimit) {
      throw new Refusal("malformed-request", {
        detail: `Cannot read this address: its path is longer than ${pathLimit} characters`,
      });
    }
  }

  #refuseWhenBusy(): void {
    const { draining, limits } = this.#parts;
    if (draining.aborted) throw shuttingDown();
    if (this.#running > limits.runningRequests) {
      throw new Refusal("overloaded", { headers: { "retry-after": "1" } });
    }
  }

  async #answerSignIn(exchange: Exchange, answer: Promise<Response>): Promise<void> {
    exchange.response = await answer;
    exchange.response.headers.set("x-request-id", exchange.requestId);
  }

  #signIn(exchange: Exchange): Promise<void> | undefined {
    const answer = this.#parts.signIn(exchange);
    return answer === undefined ? undefined : this.#answerSignIn(exchange, answer);
  }

  #matchRoute(exchange: Exchange): void {
    const { router } = this.#parts;
    const segments = new PathSegments(exchange.path);
    if (exchange.method === "OPTIONS") {
      const allowed = router.methods(segments);
      if (allowed.length === 0) throw new Refusal("route-not-found");
      const headers = { allow: allowField(allowed), "x-request-id": exchange.requestId };
      exchange.response = new Response(null, { status: 204, headers });
      return;
    }
    const found = router.find(routedMethod(exchange.method), segments);
    if (found !== undefined) {
      exchange.endpoint = found.endpoint;
      exchange.pathValues = found.values;
      return;
    }
    const allowed = router.methods(segments);
    if (allowed.length === 0) throw new Refusal("route-not-found");
    throw new Refusal("method-not-allowed", {
      detail: `This address takes ${allowed.join(", ")}`,
      headers: { allow: allowField(allowed) },
    });
  }

  #authenticate(exchange: Exchange): Promise<void> | undefined {
    if (exchange.route.definition.access === "public") return undefined;
    const token = bearerToken(exchange);
    if (token === undefined) throw unauthenticated();
    const principal = this.#parts.tokens.verify(token);
    if (!(principal instanceof Promise)) {
      exchange.principal = principal;
      return undefined;
    }
    return principal.then(
      (known) => {
        exchange.principal = known;
      },
      (error: unknown) => {
        // Guessing costs its sender's quota, since there is no caller to count it for.
        this.#parts.rates.take(exchange.address, exchange.answerFields, 1);
        throw error;
      },
    );
  }

  #limitRate(exchange: Exchange): void {
    this.#parts.rates.take(callerOf(exchange), exchange.answerFields);
  }

  #requireSystemAdmin(exchange: Exchange): void {
    const { access } = exchange.route.definition;
    if (access !== "system-admin" || exchange.principal.systemAdmin) return;
    throw roleTooLow("system-admin", "none");
  }

  #enterNamedWorkspace(exchange: Exchange): Promisable<unknown> {
    const { definition } = exchange.route;
    if (definition.workspace === "none" || definition.access === "public") return undefined;
    const tenantId = namedWorkspace(exchange);
    // A form may name it; the handler enters it then.
    if (tenantId === undefined) return undefined;
    return this.enterWorkspace(exchange, tenantId, []);
  }

  /** Refuses what asks for no representation that the route has (RFC 9110, 12.5.1). */
  #negotiate(exchange: Exchange): void {
    const accept = exchange.headers.get("accept");
    const { reply, events } = exchange.route.definition;
    if (accept === null || reply.type !== "json") return;
    if (/\*\/\*|application\/(?:\*|[\w.+-]*json)/i.test(accept)) return;
    if (events !== undefined && exchange.wantsEvents) return;
    throw new Refusal("not-acceptable", {
      detail:
        events === undefined
          ? "This address answers application/json"
          : "This address answers application/json or text/event-stream",
    });
  }

  #limitStreams(exchange: Exchange): void {
    const { reply, events } = exchange.route.definition;
    const isStream = reply.type === "events" || (events !== undefined && exchange.wantsEvents);
    if (isStream) exchange.onRelease = this.#streams.take(callerOf(exchange));
  }

  #claimJsonKey(exchange: Exchange): Promise<void> | undefined {
    const { idempotent, body } = exchange.route.definition;
    // What is sent as bytes is known when it has come: its handler claims the key then.
    if (idempotent !== true || (body !== undefined && body.type !== "json")) return undefined;
    if (!exchange.headers.has("idempotency-key")) return undefined;
    return this.claimKey(exchange, exchange.bodyDigest);
  }

  #handle(exchange: Exchange): Promisable<void> {
    // It may have begun while this request was read, and nothing has been done so far.
    if (this.#parts.draining.aborted) throw shuttingDown();
    const { handler, definition } = exchange.route;
    const isRaw = definition.body?.type === "multipart" || definition.body?.type === "bytes";
    const { params, query, body } = exchange;
    const call = { params, query, body, request: isRaw ? exchange.request : undefined };
    const isKeyed = definition.idempotent === true && exchange.headers.has("idempotency-key");
    const given = isKeyed
      ? this.#parts.idempotency.run(exchange, () => handler(call, exchange))
      : handler(call, exchange);
    return chained(given, (value) => this.#answer(exchange, value));
  }

  #answer(exchange: Exchange, given: unknown): void {
    exchange.response = respond(exchange, given, {
      pingIntervalMs: this.#parts.limits.pingIntervalMs,
      onFailure: (error) => this.#failures.note(exchange, error),
    });
  }

  #refuse(exchange: Exchange, error: unknown): Response {
    if (error instanceof Replayed) return error.response;
    const refusal = problemOf(error, exchange.request.signal);
    if (refusal.status >= 500 && refusal.code !== "draining") this.#failures.note(exchange, error);
    return problemResponse(exchange, refusal);
  }
}

/** Ends a request with the answer that its key has already. */
class Replayed extends Error {
  constructor(readonly response: Response) {
    super("replayed");
  }
}

/** Whom limits are counted for. */
function callerOf(exchange: Exchange): string {
  return exchange.signedIn?.oid ?? exchange.address;
}

function allowField(methods: readonly string[]): string {
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

function withoutBodyForHead(exchange: Exchange): Response {
  const { response } = exchange;
  if (response === undefined) throw new TypeError("a step answered nothing");
  if (exchange.method !== "HEAD" || response.body === null) return response;
  const { status, headers } = response;
  void response.body.cancel().catch(() => undefined);
  return new Response(null, { status, headers });
}
