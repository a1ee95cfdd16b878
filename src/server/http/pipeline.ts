import { Refusal } from "#contract/problems.ts";
import { chained, type Promisable } from "../kit/promisable.ts";
import { Exchange, type ExchangeHost, type Peer } from "./exchange.ts";
import {
  mayChange,
  refusalOf,
  refuseLeft,
  requireAcceptable,
  requirePerson,
  unauthenticated,
} from "./pipeline-refusals.ts";
import type { AccessPort, IdempotencyPort, QuotaPort, TokenPort } from "../work/ports.ts";
import { FailureLog } from "./failure-log.ts";
import { takeFeedCursor, type ListCursor } from "./feed-cursor.ts";
import { faultAt, invalid } from "../kit/faults.ts";
import type { Guard } from "./guard.ts";
import { HeldSignals } from "./held-signals.ts";
import { bearerToken, idempotencyKey } from "./request-headers.ts";
import { noteDeprecation } from "./response/deprecation.ts";
import { LargeBodies } from "./body/large-bodies.ts";
import { cancelRest, discardRest } from "./body/unread-body.ts";
import { OverloadPause } from "./overload-pause.ts";
import { matchRoute } from "./routing/match-route.ts";
import { OpenStreams } from "./rates/open-streams.ts";
import type { RateLimiter } from "./rates/rate-limiter.ts";
import { roleTooLow, shuttingDown } from "../work/refusals.ts";
import { TickBatch } from "./tick-batch.ts";
import { noteRequest } from "../kit/turns/tick-share.ts";
import { validateBody, validateParams, validateQuery } from "./validate.ts";
import { namedWorkspace } from "./named-workspace.ts";
import { entered } from "./workspace.ts";
import { heldRole } from "../work/held-role.ts";
import type { WorkspaceScope } from "../work/caller.ts";
import type { Work } from "../work/work.ts";
import type { Works } from "../work/works.ts";
import type { Limits } from "../kit/limits.ts";
import type { Logger } from "../kit/logger.ts";
import type { AnswerBudget } from "../kit/answer-budget.ts";
import { mayLeaveBody, withoutBodyForHead } from "./response/left-bodies.ts";
import { problemResponse, replay, respond } from "./response/respond.ts";
import type { Router } from "./routing/router.ts";

export interface PipelineParts {
  readonly router: Pick<Router, "find" | "methods">;
  readonly guard: Pick<Guard, "check">;
  readonly rates: Pick<RateLimiter, "take">;
  readonly tokens: TokenPort;
  readonly access: AccessPort;
  readonly idempotency: IdempotencyPort;
  readonly quotas: QuotaPort;
  readonly works: Pick<Works, "forRequest">;
  /** The problem for an error that a step has thrown. */
  readonly problemOf: (error: unknown, caller: AbortSignal) => Refusal;
  readonly limits: Limits;
  readonly answers: AnswerBudget;
  /** Handles the requests of one tick together; true by default. */
  readonly batchesTicks?: boolean;
  readonly logger: Logger;
  readonly draining: AbortSignal;
  /** The time over which a drain ends streams and requests that watch their signal; default 0. */
  readonly streamSpreadMs?: () => number;
  /** The configured public address; without one the request's own address is taken. */
  readonly baseUrl: () => string | undefined;
  /** The response to a probe of a balancer, whatever its host; undefined for other paths. */
  readonly probes?: (exchange: Exchange) => Promise<Response> | undefined;
  /** The response to a path outside `/v4`, e.g. of the sign-in; undefined for other paths. */
  readonly pages: (exchange: Exchange) => Promise<Response> | undefined;
  /**
   * Returns the main thread's response in a reading thread, where the error says that only the main
   * thread can answer; else undefined.
   */
  readonly handOver?: (exchange: Exchange, error: unknown) => Promise<Response> | undefined;
  /** The caller's token of a stream whose URL grants it; undefined for other requests. */
  readonly streamToken?: (exchange: Exchange) => string | undefined;
  /** Gives lists a cursor of the feed of changes; absent where lists have none. */
  readonly feedCursor?: ListCursor;
  /** Called before the handler, to add recordings to the request. */
  readonly onHandling?: (exchange: Exchange) => void;
  /** Called with each exchange that has its response. */
  readonly onAnswered?: (exchange: Exchange) => void;
}

/** Fills its part of the exchange, sets its response, or throws a refusal. */
type Step = (exchange: Exchange) => Promisable<unknown>;

const pathLimit = 8_192;
const pagePaths = /^\/(?:auth|support|alerts|mcp|docs|llms\.txt|metrics|\.well-known|$)/;

/** Takes each request through its steps, in order, to a response. */
export class Pipeline implements ExchangeHost {
  #running = 0;
  #onIdle: (() => void) | undefined;

  readonly steps: readonly Step[] = [
    (exchange) => this.#identify(exchange),
    (exchange) => this.#probe(exchange),
    (exchange) => this.#guard(exchange),
    () => this.#refuseWhenBusy(),
    (exchange) => this.#page(exchange),
    (exchange) => matchRoute(exchange, this.parts.router),
    (exchange) => this.#authenticate(exchange),
    (exchange) => this.#limitRate(exchange),
    (exchange) => requirePerson(exchange),
    (exchange) => this.#requireSystemAdmin(exchange),
    (exchange) => this.#enterNamedWorkspace(exchange, false),
    (exchange) => requireAcceptable(exchange),
    (exchange) => validateParams(exchange),
    (exchange) => validateQuery(exchange),
    (exchange) =>
      validateBody(exchange, {
        limitBytes: this.parts.limits.jsonBodyBytes,
        isKept: this.parts.handOver !== undefined,
        turns: this.#largeBodies,
      }),
    (exchange) => this.#enterNamedWorkspace(exchange, true),
    (exchange) => this.#limitStreams(exchange),
    (exchange) => this.#claimJsonKey(exchange),
    () => (this.parts.batchesTicks === false ? undefined : this.#batch.end()),
    (exchange) => this.#handle(exchange),
  ];
  readonly #held: HeldSignals;
  readonly #streams: OpenStreams;
  readonly #batch = new TickBatch();
  readonly #largeBodies = new LargeBodies();
  readonly #overloads = new OverloadPause();
  readonly #failures: FailureLog;

  constructor(private readonly parts: PipelineParts) {
    this.#streams = new OpenStreams(parts.limits);
    this.#failures = new FailureLog(parts.logger);
    const spreadMs = parts.streamSpreadMs ?? (() => 0);
    this.#held = new HeldSignals({ draining: parts.draining, spreadMs });
  }

  hold(controller: AbortController): void {
    this.#held.add(controller);
  }

  release(controller: AbortController): void {
    this.#held.delete(controller);
  }

  /** Number of signals in use, for tests that look for leaks. */
  get held(): number {
    return this.#held.size;
  }

  get underWay(): { readonly requests: number; readonly streams: number } {
    return { requests: this.#running, streams: this.#streams.count };
  }

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
      if (exchange.claimed !== undefined) await exchange.claimed.finish();
    } catch (thrown) {
      const { claimed } = exchange;
      exchange.onHandled?.(false);
      const error = claimed === undefined ? thrown : await claimed.fail(thrown);
      const handedOver = this.parts.handOver?.(exchange, error);
      exchange.response = await (handedOver ?? this.#refuse(exchange, error));
    } finally {
      if (!exchange.isStreaming) exchange.release();
      this.#running -= 1;
      if (this.#running === 0) this.#onIdle?.();
    }
    this.parts.onAnswered?.(exchange);
    const response = withoutBodyForHead(exchange);
    noteDeprecation(exchange.endpoint?.definition, response);
    if (mayLeaveBody(exchange, response)) {
      // Nothing of the platform waits for the rest, so this request no longer counts as running.
      if (peer === undefined) await cancelRest(request);
      else if (!(await discardRest(request))) response.headers.set("connection", "close");
    }
    return response;
  }

  get configuredUrl(): string | undefined {
    return this.parts.baseUrl();
  }

  /** Checks membership and role; `place` points to the workspace in the request. */
  enterWorkspace(
    exchange: Exchange,
    tenantId: string,
    place: readonly string[],
  ): Promisable<WorkspaceScope> {
    const { workspace, route, principal } = exchange;
    if (workspace !== undefined && workspace.id !== tenantId) {
      throw invalid([faultAt("body", place, "must be the workspace of X-Tenant-Id")]);
    }
    if (workspace !== undefined) return workspace;
    return chained(heldRole(route.definition, principal, tenantId, this.parts.access), (known) =>
      entered(exchange, tenantId, known),
    );
  }

  async claimKey(exchange: Exchange, fingerprint: string): Promise<void> {
    const key = idempotencyKey(exchange.headers);
    if (key === undefined) return;
    const outcome = await this.parts.idempotency.claim({
      workspaceId: exchange.workspace?.id ?? "",
      oid: exchange.principal.oid,
      key,
      fingerprint: `${exchange.method} ${exchange.path}?${exchange.search} ${fingerprint}`,
      responseOf: (answer) => exchange.responseOf(answer),
    });
    if ("status" in outcome) throw new Replayed(replay(exchange, outcome));
    exchange.claimed = outcome;
    exchange.recordings.push(outcome);
  }

  workOf(exchange: Exchange): Work {
    const { workspace, signedIn } = exchange;
    const scope = {
      workspaces: workspace === undefined ? undefined : [workspace.id],
      caller: signedIn?.oid ?? "",
    };
    return this.parts.works.forRequest(scope, signedIn, exchange);
  }

  #identify(exchange: Exchange): void {
    const given = exchange.headers.get("x-request-id");
    exchange.requestId =
      given !== null && /^[\w.:=@+/-]{1,128}$/.test(given) ? given : Bun.randomUUIDv7();
  }

  #probe(exchange: Exchange): Promise<void> | undefined {
    return this.parts.probes?.(exchange)?.then((response) => {
      exchange.response = withoutBodyForHead(exchange, response);
    });
  }

  #guard(exchange: Exchange): void {
    this.parts.guard.check(exchange);
    if (exchange.path.length > pathLimit) {
      throw new Refusal("malformed-request", {
        detail: `Cannot read this URL: its path is longer than ${pathLimit} characters`,
      });
    }
  }

  #refuseWhenBusy(): void {
    const { draining, limits } = this.parts;
    if (draining.aborted) throw shuttingDown();
    if (this.#running > limits.runningRequests) {
      throw new Refusal("overloaded", { headers: { "retry-after": "1" } });
    }
  }

  #page(exchange: Exchange): Promise<void> | undefined {
    if (!pagePaths.test(exchange.path)) return undefined;
    if (!mayChange(exchange)) return this.#answerPage(exchange);
    return this.#batch.end().then(() => {
      refuseLeft(exchange);
      return this.#answerPage(exchange);
    });
  }

  #answerPage(exchange: Exchange): Promise<void> | undefined {
    return this.parts.pages(exchange)?.then((response) => {
      response.headers.set("x-request-id", exchange.requestId);
      exchange.response = response;
    });
  }

  #authenticate(exchange: Exchange): Promise<void> | undefined {
    if (exchange.route.definition.access === "public") return undefined;
    const token = bearerToken(exchange) ?? this.parts.streamToken?.(exchange);
    if (token === undefined) throw unauthenticated();
    const principal = this.parts.tokens.verify(token);
    if (!(principal instanceof Promise)) {
      exchange.principal = principal;
      return undefined;
    }
    return principal.then(
      (known) => {
        exchange.principal = known;
      },
      async (error: unknown) => {
        // Guesses count for the address, since there is no caller.
        await this.parts.rates.take(exchange.network, exchange.responseFields, 1);
        throw error;
      },
    );
  }

  #limitRate(exchange: Exchange): Promisable<void> {
    return this.parts.rates.take(callerOf(exchange), exchange.responseFields);
  }

  #requireSystemAdmin(exchange: Exchange): void {
    const { access } = exchange.route.definition;
    if (access !== "system-admin" || exchange.principal.systemAdmin) return;
    throw roleTooLow("system-admin", "none");
  }

  /** `tenant_id` names the workspace once query and body are validated; others name it before. */
  #enterNamedWorkspace(exchange: Exchange, isValidated: boolean): Promisable<unknown> {
    const { workspace, access } = exchange.route.definition;
    if (workspace === "none" || access === "public") return undefined;
    if ((workspace === "tenant_id") !== isValidated) return undefined;
    const tenantId = namedWorkspace(exchange);
    // The handler enters the workspace of a form.
    return tenantId === undefined ? undefined : this.enterWorkspace(exchange, tenantId, []);
  }

  #limitStreams(exchange: Exchange): void {
    const { reply, events } = exchange.route.definition;
    const isStream = reply.type === "events" || (events !== undefined && exchange.wantsEvents);
    if (!isStream) return;
    exchange.onRelease = this.#streams.take(callerOf(exchange), exchange.workspace?.id ?? "");
  }

  #claimJsonKey(exchange: Exchange): Promise<void> | undefined {
    const { idempotent, body } = exchange.route.definition;
    // The handler of a bytes route claims the key once it has received the bytes.
    if (idempotent !== true || (body !== undefined && body.type !== "json")) return undefined;
    if (!exchange.headers.has("idempotency-key")) return undefined;
    return this.claimKey(exchange, exchange.bodyDigest);
  }

  #handle(exchange: Exchange): Promisable<void> {
    // The drain may have begun while this request was read; it has no effect yet.
    if (this.parts.draining.aborted) throw shuttingDown();
    refuseLeft(exchange);
    noteRequest(exchange.workspace?.id ?? callerOf(exchange));
    const { handler, definition } = exchange.route;
    const isRaw = definition.body?.type === "multipart" || definition.body?.type === "bytes";
    const { params, query, body } = exchange;
    const call = { params, query, body, request: isRaw ? exchange.request : undefined };
    this.parts.onHandling?.(exchange);
    return chained(this.#admit(exchange), () =>
      chained(takeFeedCursor(exchange, this.parts.feedCursor), () =>
        chained(handler(call, exchange), (value) => this.#answer(exchange, value)),
      ),
    );
  }

  /** Counts the request for the quota of its workspace, which a form names later. */
  #admit(exchange: Exchange): Promisable<void> {
    const { quotas } = this.parts;
    const { workspace, params, body, headers } = exchange;
    const { id: routeId, definition } = exchange.route;
    if (quotas.areOff || definition.access === "public") return undefined;
    const admit = async (workspaceId: string): Promise<void> => {
      exchange.onHandled = await quotas.admit(workspaceId, { routeId, params, body, headers });
    };
    if (workspace === undefined) exchange.onEntered = admit;
    return workspace && admit(workspace.id);
  }

  #answer(exchange: Exchange, given: unknown): void {
    exchange.onHandled?.(true);
    exchange.onHandled = undefined;
    exchange.result = given;
    exchange.response = respond(exchange, given, {
      answers: this.parts.answers,
      pingIntervalMs: this.parts.limits.pingIntervalMs,
      onFailure: (error) => this.#failures.note(exchange, error),
    });
  }

  #refuse(exchange: Exchange, error: unknown): Promisable<Response> {
    if (error instanceof Replayed) {
      exchange.isRepeated = true;
      return error.response;
    }
    const refusal = refusalOf(exchange, this.parts.problemOf(error, exchange.request.signal));
    exchange.refusal = refusal.code;
    if (refusal.status >= 500 && refusal.code !== "draining") this.#failures.note(exchange, error);
    const response = problemResponse(exchange, refusal);
    if (refusal.code !== "overloaded") return response;
    return this.#overloads.of(response, this.parts.draining);
  }
}

/** Ends a request with the kept response of its key. */
class Replayed extends Error {
  constructor(readonly response: Response) {
    super("replayed");
  }
}

function callerOf(exchange: Exchange): string {
  return exchange.signedIn?.oid ?? exchange.network;
}
