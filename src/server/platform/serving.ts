import { given } from "#lib/given.ts";
import { version } from "#lib/version.ts";
import { AgentPages } from "../domains/agents/routes.ts";
import { AgentService } from "../domains/agents/service.ts";
import { noteAnswer, pageRecorder, recordChange } from "../domains/audit/recording.ts";
import { UnsubscribePages } from "../domains/alerts/mail/unsubscribe-pages.ts";
import type { AuditLog } from "../domains/audit/service.ts";
import type { PlatformBase } from "../domains/base.ts";
import { DocsPages } from "../domains/docs/routes.ts";
import { DocsService } from "../domains/docs/service.ts";
import { ProbePages } from "../domains/health/pages.ts";
import { MetricsPages } from "../domains/metrics/pages.ts";
import { durationBounds, RequestDurations } from "../domains/metrics/request-durations.ts";
import { rateLookMs, RequestRate } from "../domains/metrics/request-rate.ts";
import type { PlatformPulse } from "../domains/quotas/routes.ts";
import { Metrics } from "../domains/metrics/service.ts";
import { OpenIdProvider } from "../domains/sign-in/routes.ts";
import { problemOf } from "../domains/storage-problems.ts";
import { SupportPages } from "../domains/support/routes.ts";
import { SupportDrafts } from "../domains/support/service.ts";
import type { Peer } from "../http/exchange.ts";
import type { Guard } from "../http/guard.ts";
import { Pipeline, type PipelineParts } from "../http/pipeline.ts";
import { requestRates, type RateLimiter } from "../http/rates/rate-limiter.ts";
import { endpointsOf } from "../http/routing/endpoint.ts";
import { Router } from "../http/routing/router.ts";
import type { RequestCounts } from "../kit/turns/request-counts.ts";
import type { ScheduledBackups } from "./backup/schedule/scheduled-backups.ts";
import { handlersOf } from "./handlers.ts";
import type { PlatformOptions } from "./options.ts";
import type { AccountServices, Services } from "./services.ts";

const feedLookMs = 5_000;

type Answering = (request: Request, peer?: Peer) => Promise<Response>;

/** The pipeline of requests, and what counts them. */
export function servingOf(
  options: PlatformOptions,
  parts: Pick<PipelineParts, "works" | "idempotency" | "quotas"> & {
    readonly base: PlatformBase;
    readonly accounts: AccountServices;
    readonly services: Services;
    readonly audit: AuditLog;
    readonly guard: Guard;
    readonly counts: RequestCounts;
    readonly backups: ScheduledBackups | undefined;
  },
  configuredUrl: () => string | undefined,
) {
  const { base, accounts, services, works, idempotency, audit, quotas, guard, counts } = parts;
  const { limits, now, lifetime } = base;
  const { tokens, access } = accounts;
  const durations = new RequestDurations();
  const metrics = new Metrics({
    ...base,
    health: services.health,
    durations: { bounds: durationBounds, all: () => durations.all() },
    underWay: () => pipeline.underWay,
    feed: { state: services.health.feed, figures: () => services.realtime.figures },
    processUsage: options.processUsage,
    backups: parts.backups,
    version,
  });
  // The age of an open transaction counts from the first look at it.
  lifetime.every(feedLookMs, "feed-not-read", async () => {
    await services.health.feed.openTransaction();
  });
  const rate = new RequestRate(
    () => durations.total(),
    () => now().getTime(),
  );
  lifetime.every(rateLookMs, "requests-not-counted", async () => rate.look());
  const pulse = pulseOf(rate, parts.backups);
  const rates = requestRates(limits, counts, now);
  const fetch: Answering = (request, peer) => pipeline.fetch(request, peer);
  const pipeline = new Pipeline({
    router: new Router(endpointsOf(handlersOf(services, fetch, { counts, now, pulse }))),
    guard,
    rates,
    tokens,
    access,
    idempotency,
    quotas,
    works,
    problemOf: notedProblems(services.health),
    limits,
    answers: base.answers,
    batchesTicks: options.tuning?.batchesTicks ?? true,
    logger: options.logger,
    draining: lifetime.draining,
    streamSpreadMs: () => lifetime.streamSpreadMs,
    baseUrl: configuredUrl,
    probes: probesOf(services, base, options),
    streamToken: (exchange) => services.realtime.grants.tokenOf(exchange.route.id, exchange.search),
    ...(options.tuning?.keepsFeed !== false && {
      feedCursor: (work, workspaceId) => services.feed.cursors.ofList(work.read, workspaceId),
    }),
    onHandling: (exchange) => recordChange(exchange, now),
    onAnswered: (exchange) => {
      noteAnswer(audit, exchange, now);
      durations.note(exchange);
    },
    pages: pagesOf(base, options, { accounts, services, counts, rates, metrics, fetch }),
  });
  return { pipeline, durations, metrics };
}

/** The problem of an error, of which health learns too. */
function notedProblems(health: Services["health"]): typeof problemOf {
  return (error, caller) => {
    health.noteFailure(error);
    return problemOf(error, caller);
  };
}

/** The rate of requests, and the start of the newest backup that is stored or verified. */
function pulseOf(rate: RequestRate, backups: ScheduledBackups | undefined): PlatformPulse {
  return async () => {
    const times = await backups?.times().catch(() => undefined);
    const seconds = Math.max(times?.verified ?? 0, times?.stored ?? 0);
    return {
      ...given({ requestsPerMinute: rate.perMinute() }),
      lastBackupAt: seconds === 0 ? null : new Date(seconds * 1_000).toISOString(),
    };
  };
}

function probesOf(
  { health }: Services,
  { lifetime }: PlatformBase,
  { readyNeedsWrites = false }: PlatformOptions,
): PipelineParts["pages"] {
  const probes = new ProbePages({ health, lifetime, needsWrites: readyNeedsWrites });
  return (exchange) => probes.answer(exchange);
}

/** Answers the requests that no route of the contract takes; undefined for other addresses. */
function pagesOf(
  { platformWork, now, lifetime, limits }: PlatformBase,
  { authUrl, authRegistration, documentation }: PlatformOptions,
  parts: {
    readonly accounts: AccountServices;
    readonly services: Services;
    readonly counts: RequestCounts;
    readonly rates: RateLimiter;
    readonly metrics: Metrics;
    readonly fetch: Answering;
  },
): PipelineParts["pages"] {
  const { accounts, services, counts, rates, metrics, fetch } = parts;
  const { channels, unsubscribeTokens } = services.alerts;
  const { tokens, access } = accounts;
  const provider = new OpenIdProvider(accounts.signIn, counts, pageRecorder(now));
  const drafts = new SupportDrafts({ platformWork, now, lifetime });
  const support = new SupportPages({ drafts, tokens, access, counts, limits, now });
  const unsubscribe = new UnsubscribePages({
    tokens: unsubscribeTokens,
    unsubscribe: (unsubscription) => channels.unsubscribe(unsubscription),
    counts,
    limits,
    now,
  });
  const service = new AgentService({ lifetime, fetch });
  const agents = new AgentPages({ service, tokens, rates, authUrl, authRegistration });
  const docs = new DocsPages(new DocsService(documentation));
  const metricsPages = new MetricsPages({ metrics, tokens, rates });
  return (exchange) =>
    metricsPages.answer(exchange) ??
    support.answer(exchange) ??
    unsubscribe.answer(exchange) ??
    agents.answer(exchange) ??
    docs.answer(exchange) ??
    (authUrl === undefined ? provider.answer(exchange) : undefined);
}
