import { endpointsOf } from "../../http/routing/endpoint.ts";
import type { Exchange, Peer } from "../../http/exchange.ts";
import { bearerToken } from "../../http/request-headers.ts";
import { Guard } from "../../http/guard.ts";
import { RateWindows } from "../../http/rates/rate-windows.ts";
import { requestRates } from "../../http/rates/rate-limiter.ts";
import { Pipeline } from "../../http/pipeline.ts";
import { followed } from "../../kit/changes.ts";
import type { Logger } from "../../kit/logger.ts";
import { Router } from "../../http/routing/router.ts";
import { threadHandlers } from "../../domains/records/routes.ts";
import { AccessService } from "../../domains/workspaces/access.ts";
import { ListCursors } from "../../http/lists/cursors.ts";
import { ObjectTypeService } from "../../domains/object-types/service.ts";
import { IndexMaintenance } from "../../domains/records/indexes/index-maintenance.ts";
import { SearchWords } from "../../domains/records/search/word-list.ts";
import { SlowFilters } from "../../domains/records/read/slow-filters.ts";
import { ResourceService } from "../../domains/records/service.ts";
import { problemOf } from "../../domains/storage-problems.ts";
import { Secrets } from "../../domains/secrets/service.ts";
import { LeaderOnlyError } from "../../database/errors.ts";
import { followSqlite } from "../../database/sqlite/follower.ts";
import type { CreationForwarder } from "./creation-forwarder.ts";
import { wholeBytes, type Forwarder } from "./request-forwarder.ts";
import { LearntTokens } from "./known-tokens.ts";
import type { ThreadStart } from "./messages.ts";

/** The part of a platform that a thread runs beside the main one. */
export interface ReadingPlatform {
  /** Answers any request: reads and creations of records itself, all else by the main thread. */
  fetch(request: Request, peer: Peer): Promise<Response>;
  /** New work is refused from now on. */
  drain(): void;
  close(): Promise<void>;
}

/**
 * The same pipeline, rules and statements as the main thread's over a connection that only reads.
 * Whatever such a connection can't do shows as `LeaderOnlyError`, before any effect; the main thread
 * is then asked as if the request had come to it.
 */
export async function createReadingPlatform(options: {
  readonly start: ThreadStart;
  readonly forwarder: Forwarder;
  /** By whom records are written that this thread has checked. */
  readonly creations: CreationForwarder;
  readonly logger: Logger;
  readonly onType: (type: { readonly workspaceId: string; readonly slug: string }) => void;
}): Promise<ReadingPlatform> {
  const { start, forwarder, creations, logger, onType } = options;
  const { limits, baseUrl } = start;
  const now = (): Date => new Date();
  const changes = followed(start.changes);
  const database = followSqlite(start.databasePath, {
    commits: changes.commits,
    ids: changes.ids,
    threads: start.threads,
  });
  const secrets = await Secrets.load(database, now());
  const access = new AccessService({ database, now, changes: changes.access });
  const tokens = new LearntTokens({
    access,
    revocations: changes.grants,
    now: () => Date.now(),
  });
  const words = new SearchWords(database);
  const objectTypes = new ObjectTypeService({
    database,
    unkeyedDatabase: database,
    now,
    cursors: new ListCursors(secrets.for("object types")),
    records: new IndexMaintenance({ database, words, logger, now }),
    changes: changes.objectTypes,
    follow: { onLoad: ({ workspace_id: workspaceId, slug }) => onType({ workspaceId, slug }) },
  });
  const resources = new ResourceService({
    database,
    objectTypes,
    words,
    now,
    cursors: new ListCursors(secrets.for("resources")),
    slowFilters: new SlowFilters({ thresholdMs: limits.slowFilterMs }),
    onFilesReleased: () => {},
    create: (creation) => creations.write(creation),
  });
  const rates = requestRates(limits, new RateWindows({ memory: start.rates }), now);
  const draining = new AbortController();
  const leaderOnly = (): never => {
    throw new LeaderOnlyError("This thread only reads and creates records");
  };
  const router = new Router(
    endpointsOf({ resources: threadHandlers(resources) }, () => leaderOnly),
  );

  const handOver = async (exchange: Exchange): Promise<Response> => {
    const { request, peer, signedIn } = exchange;
    if (peer === undefined) throw new TypeError("a thread's requests come over a network");
    if (signedIn !== undefined) rates.giveBack(signedIn.oid);
    const token = signedIn === undefined ? bearerToken(exchange) : undefined;
    const { response, known } = await forwarder.forward(request, peer, {
      asksForToken: token !== undefined,
      body: exchange.bodyBytes,
    });
    if (token !== undefined && known !== undefined) tokens.learn(token, known);
    return response;
  };
  const pipeline = new Pipeline({
    router: {
      find(method, segments) {
        const found = router.find(method, segments);
        // Before its body is read, which may be large.
        return found?.endpoint.handler === leaderOnly ? leaderOnly() : found;
      },
      methods: (segments) => router.methods(segments),
    },
    guard: new Guard({
      baseUrl: () => baseUrl,
      allowedHosts: start.allowedHosts,
      acceptsAddresses: start.acceptsAddresses,
    }),
    rates,
    tokens,
    access,
    idempotency: { claim: leaderOnly, run: leaderOnly },
    problemOf,
    limits,
    logger,
    draining: draining.signal,
    baseUrl: () => baseUrl,
    signIn: () => undefined,
    handOver: (exchange, error) =>
      error instanceof LeaderOnlyError ? handOver(exchange) : undefined,
  });
  return {
    fetch(request, peer) {
      // Its own promise, not another's around it: what is settled at once is sent at once.
      if (isOwn(request)) return pipeline.fetch(request, peer);
      return forwarder.forward(request, peer).then(({ response }) => response);
    },
    drain: () => draining.abort(new Error("the platform is shutting down")),
    async close() {
      await pipeline.idle();
      await database.close();
    },
  };
}

/** Told from the head alone: whether it is worth a look at the route. */
function isOwn({ method, url, headers }: Request): boolean {
  if (!url.includes("/v4/data/resources/")) return false;
  if (method === "GET" || method === "HEAD") return true;
  // Keys are the main thread's, and what could be too long for a message is in its hands from the start.
  if (method !== "POST" || headers.has("idempotency-key")) return false;
  return Number(headers.get("content-length") ?? Number.NaN) <= wholeBytes;
}
