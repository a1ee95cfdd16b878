import { endpointsOf } from "../../http/routing/endpoint.ts";
import type { Exchange, Peer } from "../../http/exchange.ts";
import { bearerToken } from "../../http/request-headers.ts";
import { Guard } from "../../http/guard.ts";
import { RateWindows } from "../../kit/turns/rate-windows.ts";
import { AnswerBudget } from "../../kit/answer-budget.ts";
import { requestRates, type RateLimiter } from "../../http/rates/rate-limiter.ts";
import { Pipeline } from "../../http/pipeline.ts";
import { newChanges, type Changes } from "../../kit/changes.ts";
import type { Logger } from "../../kit/logger.ts";
import { Router } from "../../http/routing/router.ts";
import { threadHandlers } from "../../domains/records/routes.ts";
import { FeedCursors } from "../../domains/feed/service.ts";
import { noteAnswer, recordChange } from "../../domains/audit/recording.ts";
import { RequestDurations, type DurationCounts } from "../../domains/metrics/request-durations.ts";
import type { AuditLog } from "../../domains/audit/service.ts";
import { Quotas } from "../../domains/quotas/service.ts";
import { AccessService } from "../../domains/members/access.ts";
import { ListCursors } from "../../kit/lists/cursors.ts";
import { ObjectTypeService } from "../../domains/object-types/service.ts";
import { IndexMaintenance } from "../../domains/records/indexes/index-maintenance.ts";
import { SearchWords } from "../../search-index/word-list.ts";
import { SlowFilters } from "../../domains/records/read/slow-filters.ts";
import { ResourceService } from "../../domains/records/service.ts";
import { problemOf } from "../../domains/storage-problems.ts";
import { Secrets } from "../../domains/secrets/service.ts";
import { isDamaged, LeaderOnlyError } from "../../kit/storage-errors.ts";
import { followSqlite } from "../../database/sqlite/follower.ts";
import type { CreationForwarder } from "./creation-forwarder.ts";
import { wholeBytes, type Forwarder } from "./request-forwarder.ts";
import type { ThreadStart } from "./messages.ts";
import type { ChangeCount } from "../../kit/change-count.ts";
import type { Promisable } from "../../kit/promisable.ts";
import { ChangeFeed } from "../../work/change-feed.ts";
import { Works } from "../../work/works.ts";
import type { Principal } from "../../work/caller.ts";
import { keptPrincipal, verifiedTokens, type Verified } from "../../domains/tokens/service.ts";

export interface ReadingPlatform {
  /** Serves reads and creations of records itself; the main thread serves the rest. */
  fetch(request: Request, peer: Peer): Promise<Response>;
  drain(): void;
  close(): Promise<void>;
}

interface ReadingOptions {
  readonly start: ThreadStart;
  readonly forwarder: Forwarder;
  readonly creations: CreationForwarder;
  readonly logger: Logger;
  readonly audit: Pick<AuditLog, "note">;
  readonly onDurations: (counts: readonly DurationCounts[]) => void;
  readonly onType: (type: { readonly workspaceId: string; readonly slug: string }) => void;
}

/**
 * The main thread's pipeline and services over a read-only connection. Any other work throws
 * `LeaderOnlyError` before any effect; the main thread then serves the request.
 */
export async function createReadingPlatform(options: ReadingOptions): Promise<ReadingPlatform> {
  const { start, forwarder, logger, audit } = options;
  const { limits, baseUrl } = start;
  const now = (): Date => new Date();
  const changes = newChanges(start.changes);
  const database = followSqlite(start.databasePath, {
    commits: changes.commits,
    ids: changes.ids,
    threads: start.threads,
  });
  const feed = new ChangeFeed();
  const works = new Works(database, feed);
  const platformWork = works.forPlatform;
  const secrets = new Secrets(start.master);
  const access = new AccessService({ platformWork, feed, changes: changes.access });
  const tokens = new KnownTokens(access, changes.grants);
  const answers = new AnswerBudget(limits.answerBytes);
  const resources = readingResources(options, { works, feed, secrets, changes, answers, now });
  const windows = new RateWindows({ memory: start.rates });
  const rates = requestRates(limits, windows, now);
  const quotas = new Quotas({ platformWork, counts: windows, now, logger, isThread: true });
  const durations = new SharedDurations(options.onDurations);
  const draining = new AbortController();
  const feedCursors = new FeedCursors(secrets, changes.commits);
  const pipeline = new Pipeline({
    router: readingRouter(resources),
    guard: new Guard({
      baseUrl: () => baseUrl,
      allowedHosts: start.allowedHosts,
      acceptsAddresses: start.acceptsAddresses,
    }),
    rates,
    tokens,
    access,
    idempotency: { claim: leaderOnly },
    quotas,
    works,
    problemOf,
    limits,
    answers,
    logger,
    draining: draining.signal,
    baseUrl: () => baseUrl,
    pages: () => undefined,
    feedCursor: (work, workspaceId) => feedCursors.ofList(work.read, workspaceId),
    onHandling: (exchange) => recordChange(exchange, now),
    onAnswered: (exchange) => {
      noteAnswer(audit, exchange, now);
      // The main thread counts what it has answered.
      if (!exchange.isRepeated) durations.note(exchange);
    },
    handOver: (exchange, error) =>
      isForLeader(error) ? handOver(exchange, { rates, tokens, forwarder }) : undefined,
  });
  return {
    fetch(request, peer) {
      // It adds no promise around the pipeline's: a settled response is sent at once.
      if (isOwn(request)) return pipeline.fetch(request, peer);
      return forwarder.forward(request, peer).then(({ response }) => response);
    },
    drain: () => draining.abort(new Error("the platform is shutting down")),
    async close() {
      await pipeline.idle();
      durations.share();
      await database.close();
    },
  };
}

/** The main thread also answers what met damaged data, so that health knows of it. */
function isForLeader(error: unknown): boolean {
  return error instanceof LeaderOnlyError || isDamaged(error);
}

/** Throws for a route of the main thread before a body is read, which may be large. */
function readingRouter(resources: ResourceService): Pick<Router, "find" | "methods"> {
  const router = new Router(
    endpointsOf({ resources: threadHandlers(resources) }, () => leaderOnly),
  );
  return {
    find(method, segments) {
      const found = router.find(method, segments);
      return found?.endpoint.handler === leaderOnly ? leaderOnly() : found;
    },
    methods: (segments) => router.methods(segments),
  };
}

function leaderOnly(): never {
  throw new LeaderOnlyError("This thread only reads and creates records");
}

/** The main thread answers the request, and this one learns its token. */
async function handOver(
  exchange: Exchange,
  parts: {
    readonly rates: RateLimiter;
    readonly tokens: KnownTokens;
    readonly forwarder: Forwarder;
  },
): Promise<Response> {
  const { request, peer, signedIn } = exchange;
  exchange.isRepeated = true;
  if (peer === undefined) throw new TypeError("a thread's requests come over a network");
  if (signedIn !== undefined) await parts.rates.giveBack(signedIn.oid);
  const token = signedIn === undefined ? bearerToken(exchange) : undefined;
  const { response, known } = await parts.forwarder.forward(request, peer, {
    asksForToken: token !== undefined,
    body: exchange.bodyBytes,
  });
  if (token !== undefined && known !== undefined) parts.tokens.learn(token, known);
  return response;
}

/** The service of records, which hands what it creates to the main thread. */
function readingResources(
  { start: { limits }, creations, logger, onType }: ReadingOptions,
  parts: {
    readonly works: Works;
    readonly feed: ChangeFeed;
    readonly secrets: Secrets;
    readonly changes: Changes;
    readonly answers: AnswerBudget;
    readonly now: () => Date;
  },
): ResourceService {
  const { works, feed, secrets, changes, answers, now } = parts;
  const { forPlatform: platformWork, merged } = works;
  const words = new SearchWords(platformWork);
  const objectTypes = new ObjectTypeService({
    platformWork,
    feed,
    now,
    cursors: new ListCursors(secrets.for("object types")),
    records: new IndexMaintenance({ platformWork, words, logger, now }),
    changes: changes.objectTypes,
    follow: { onLoad: ({ workspace_id: workspaceId, slug }) => onType({ workspaceId, slug }) },
  });
  return new ResourceService({
    merged,
    ids: changes.ids,
    objectTypes,
    words,
    answers,
    now,
    cursors: new ListCursors(secrets.for("resources")),
    slowFilters: new SlowFilters({ thresholdMs: limits.slowFilterMs }),
    trashDays: limits.trashDays,
    onFilesReleased: () => {},
    create: (work, itemOf) => creations.write(work, itemOf),
  });
}

/** True if this thread may serve the request, from its head alone. */
function isOwn({ method, url, headers }: Request): boolean {
  if (!url.includes("/v4/data/resources/")) return false;
  if (method === "GET" || method === "HEAD") return true;
  // The main thread serves requests with keys, and bodies too long for one message.
  if (method !== "POST" || headers.has("idempotency-key")) return false;
  return Number(headers.get("content-length") ?? Number.NaN) <= wholeBytes;
}

/** Time until the main thread knows of a request. */
const shareMs = 500;

/** Counts requests here, and hands the counts to the main thread. */
class SharedDurations {
  readonly #durations = new RequestDurations();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly send: ReadingOptions["onDurations"]) {}

  note(exchange: Exchange): void {
    this.#durations.note(exchange);
    this.#timer ??= setTimeout(() => this.share(), shareMs).unref();
  }

  share(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counts = this.#durations.take();
    if (counts.length > 0) this.send(counts);
  }
}

/** The tokens that the main thread has verified; only the main thread verifies tokens. */
class KnownTokens {
  readonly #known = verifiedTokens();
  #followed: number;

  constructor(
    private readonly access: AccessService,
    private readonly revocations: ChangeCount,
  ) {
    this.#followed = revocations.value;
  }

  /** Throws `LeaderOnlyError` for an unknown or expired token. */
  verify(token: string): Promisable<Principal> {
    this.#follow();
    const kept = this.#known.get(token);
    const now = Date.now();
    if (kept !== undefined && kept.expiresAtMs > now && (kept.keptUntilMs ?? now + 1) > now) {
      return keptPrincipal(this.access, kept);
    }
    this.#known.delete(token);
    throw new LeaderOnlyError("This thread does not know the token");
  }

  /** Keeps a token that the main thread knew at this count of revocations. */
  learn(token: string, known: { readonly token: Verified; readonly revocations: number }): void {
    this.#follow();
    // A later revocation may be of this token.
    if (known.revocations !== this.#followed) return;
    this.#known.set(token, known.token);
  }

  /** Forgets all tokens after a revocation, which does not tell its token. */
  #follow(): void {
    const { value } = this.revocations;
    if (value === this.#followed) return;
    this.#followed = value;
    this.#known.clear();
  }
}
