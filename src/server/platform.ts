import { given } from "#lib/given.ts";
import { authPath } from "#contract/access/sign-in.ts";
import type { PlatformBase } from "./domains/base.ts";
import { AuditLog } from "./domains/audit/service.ts";
import { Erasures } from "./domains/erasures/service.ts";
import { IdempotencyService } from "./domains/idempotency/service.ts";
import { firstUserEmail } from "./domains/identity/service.ts";
import { IdShares } from "./domains/records/service.ts";
import type { Secrets } from "./domains/secrets/service.ts";
import { Quotas } from "./domains/quotas/service.ts";
import type { RequestDurations } from "./domains/metrics/request-durations.ts";
import type { Metrics } from "./domains/metrics/service.ts";
import { SharedCounts } from "./domains/quotas/shared-counts.ts";
import {
  mintFor,
  rememberIssuer,
  type MintedToken,
  type MintOptions,
} from "./domains/tokens/issue-for-script.ts";
import { BlobRemovals } from "./files/blob-removals.ts";
import type { Peer } from "./http/exchange.ts";
import { servingOf } from "./platform/serving.ts";
import { ListCursors } from "./kit/lists/cursors.ts";
import { Guard } from "./http/guard.ts";
import { AnswerBudget } from "./kit/answer-budget.ts";
import { RateWindows } from "./kit/turns/rate-windows.ts";
import type { RequestCounts } from "./kit/turns/request-counts.ts";
import { newChanges, type Changes } from "./kit/changes.ts";
import { LifetimeOwner } from "./kit/lifetime.ts";
import { defaultLimits, type Limits } from "./kit/limits.ts";
import { noModels, type Models } from "./models/models.ts";
import { openAiModels } from "./models/openai-compatible.ts";
import {
  createAccounts,
  createServices,
  type AccountServices,
  type Services,
} from "./platform/services.ts";
import type { QuotaReader } from "./platform/streams.ts";
import { erasureLists } from "./platform/backup/erasure-lists.ts";
import { copiesOf, journalOf, openBackups } from "./platform/backup/open-backups.ts";
import { filesHeldSince, heldFilesWarning } from "./platform/backup/settle-restored.ts";
import type { PlatformOptions } from "./platform/options.ts";
import { mkdirSync } from "node:fs";
import type { Database } from "./database/database.ts";
import { roomWatched, roomWatchedBlobs } from "./files/disk-space.ts";
import { notedBlobs } from "./files/published-files.ts";
import { fullTuning } from "./kit/tuning.ts";
import { openPlatformDatabase } from "./schema/platform-database.ts";
import {
  confirmDatabase,
  refuseMissingDatabase,
  refuseOtherKinds,
} from "./platform/data-marker.ts";
import { openSecrets } from "./platform/key-file.ts";
import { refuseMoved } from "./platform/move/read-only.ts";
import { everyWorkspace } from "./kit/scope.ts";
import { RowNumbers } from "./work/change-batches.ts";
import { ChangeFeed } from "./work/change-feed.ts";
import { DatabaseClock } from "./work/database-clock.ts";
import { Works, type PlatformWork } from "./work/works.ts";
import { keepAddress, newWorker } from "./platform/worker.ts";
import { databaseUrlOf, lockDataDirectory, openBlobs } from "./platform/storage-location.ts";

export type { Limits } from "./kit/limits.ts";
export type { LogEvent, Logger } from "./kit/logger.ts";
export type { PlatformOptions } from "./platform/options.ts";
export type { Peer } from "./http/exchange.ts";

/** The first user's sign-in, shown to the operator once. */
export interface FirstSignIn {
  readonly email: string;
  readonly oneTimePassword: string;
}

/** The platform: a function from request to response, and its owner's operations. */
export interface Platform {
  /** Answers every request and never throws. `peer` is the client of a network connection. */
  fetch(request: Request, peer?: Peer): Promise<Response>;
  readonly services: Services;
  readonly platformWork: PlatformWork;
  readonly secrets: Secrets;
  readonly limits: Limits;
  /** Settings of the database with which acknowledged writes may be lost, as clauses. */
  readonly risks: readonly string[];
  /** True if the database is reached through a connection pooler. */
  readonly isPooled: boolean;
  /** Tables that row-level security does not cover, and what changes that. */
  readonly unsecured: string | undefined;
  /** Shared with the reading threads. */
  readonly changes: Changes;
  readonly rateWindows: RateWindows;
  /** The durations of all requests, to which reading threads add theirs. */
  readonly durations: Pick<RequestDurations, "add">;
  readonly metrics: Pick<Metrics, "text">;
  readonly firstUser: { readonly email: string };
  /** Sets the URL at which the platform listens; minted tokens have it as their issuer. */
  announce(url: string): Promise<void>;
  /** The first user's one-time password, once; undefined with an external provider. */
  issueFirstPassword(): Promise<FirstSignIn | undefined>;
  /** Withdraws a password that was not shown: a later start issues another. */
  withdrawFirstPassword(): Promise<void>;
  /** An access token for scripts on this machine; without `email` it is the first user's. */
  mintToken(options: MintOptions): Promise<MintedToken>;
  /**
   * Answers balancers at `/ready` with 503, and serves all other requests as before. The drain then
   * ends streams one after another within `streamSpreadMs`, not all at once.
   */
  retire(streamSpreadMs: number): void;
  /** Refuses new requests and waits for the running ones, at most so long. */
  drain(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Opens the data directory and builds the platform. */
export async function createPlatform(options: PlatformOptions): Promise<Platform> {
  const clock = new DatabaseClock(options);
  const { now } = clock;
  const changes = newChanges();
  const storage = await openStorage(options, { now, changes });
  const lifetime = new LifetimeOwner(options.logger);
  const close = async (): Promise<void> => {
    await lifetime.close();
    await storage.close();
  };
  try {
    return { ...(await build(options, { clock, changes, storage, lifetime })), close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Foundation {
  readonly clock: DatabaseClock;
  readonly changes: Changes;
  readonly storage: OpenStorage;
  readonly lifetime: LifetimeOwner;
}

async function build(
  options: PlatformOptions,
  foundation: Foundation,
): Promise<Omit<Platform, "close">> {
  const { changes, lifetime } = foundation;
  const { base, works, idempotency, audit } = await createBase(options, foundation);
  const { limits, platformWork, now, logger } = base;
  const { configuredUrl, publicUrl, listen } = addressesOf(options);
  const { allowedHosts = [], acceptsAddresses = false } = options;
  const guard = new Guard({ baseUrl: configuredUrl, allowedHosts, acceptsAddresses });
  const acceptsIssuer = (issuer: string): boolean => isOwnIssuer(issuer, configuredUrl(), guard);
  const accounts = await createAccounts(base, { ...options, acceptsIssuer, configuredUrl });
  const { rateWindows, counts } = countsOf(base);
  const domains = await createServices(base, accounts, { ...ofQuotas(() => quotas), publicUrl });
  const quotas = new Quotas({ platformWork, counts, now, logger, records: domains.resources });
  const backups = openBackups(options, base, foundation.storage.database);
  const lists = erasureLists(base.dataDirectory, logger, (ids) => backups?.storeErasures(ids));
  const { emptyLog } = base.database;
  const erasures = new Erasures({ ...base, ...domains, audit, idempotency, lists, emptyLog });
  await erasures.begin();
  domains.health.addWarning(() => heldFilesWarning(platformWork("files after a restore").read));
  backups?.start(domains.health);
  const services = { ...domains, audit, quotas, erasures };
  const first = await accounts.identity.ensureFirstUser({
    email: options.firstUser?.email ?? firstUserEmail,
    displayName: options.firstUser?.displayName ?? "Administrator",
  });
  const announce = async (listening?: string): Promise<void> => {
    listen(listening);
    if (listening !== undefined) keepAddress(base.dataDirectory, listening);
    const baseUrl = publicUrl();
    const work = platformWork("the platform's address");
    if (baseUrl !== undefined) await rememberIssuer(work, { ...options, baseUrl }, now());
  };
  await announce();

  const serving = {
    base,
    accounts,
    services,
    works,
    idempotency,
    audit,
    quotas,
    guard,
    counts,
    backups,
  };
  const { pipeline, durations, metrics } = servingOf(options, serving, configuredUrl);
  lifetime.onDrain(() => pipeline.idle());

  return {
    fetch: (request, peer) => pipeline.fetch(request, peer),
    services,
    platformWork: base.platformWork,
    secrets: base.secrets,
    limits,
    ...noticesOf(base.database),
    changes,
    rateWindows,
    durations,
    metrics,
    firstUser: { email: first.email },
    announce,
    ...operatorAccess(platformWork, accounts, configuredUrl),
    retire: (streamSpreadMs) => lifetime.retire(streamSpreadMs),
    drain: (timeoutMs) => lifetime.drain(timeoutMs),
  };
}

/** The configured address, and the one at which people reach the platform once it listens. */
function addressesOf({ baseUrl }: PlatformOptions) {
  let listening: string | undefined;
  const configuredUrl = (): string | undefined =>
    typeof baseUrl === "function" ? baseUrl() : baseUrl;
  return {
    configuredUrl,
    publicUrl: (): string | undefined => configuredUrl() ?? listening,
    listen: (url: string | undefined): void => {
      listening = url;
    },
  };
}

/** Quotas for the services that are made before them. */
function ofQuotas(
  quotas: () => Quotas,
): Pick<Quotas, "admit"> & { readonly readQuota: QuotaReader } {
  return {
    readQuota: (work, workspaceId) => quotas().read(work, workspaceId),
    admit: (workspaceId, request) => quotas().admit(workspaceId, request),
  };
}

/** The facts of the database that the start reports to the operator. */
function noticesOf(
  database: PlatformBase["database"],
): Pick<Platform, "risks" | "isPooled" | "unsecured"> {
  const { risks = [], isPooled = false, unsecured } = database;
  return { risks, isPooled, unsecured };
}

/** The counts of requests: in memory of all threads, or in the database of all platforms. */
function countsOf(base: PlatformBase): { rateWindows: RateWindows; counts: RequestCounts } {
  const rateWindows = new RateWindows();
  const isAlone = base.database.dialect === "sqlite";
  return { rateWindows, counts: isAlone ? rateWindows : new SharedCounts(base) };
}

/** The operations on accounts that the commands of the operator use. */
function operatorAccess(
  platformWork: PlatformWork,
  { identity, tokens, hasPasswords }: AccountServices,
  configuredUrl: () => string | undefined,
): Pick<Platform, "issueFirstPassword" | "withdrawFirstPassword" | "mintToken"> {
  const work = platformWork("the user of a script's token");
  return {
    issueFirstPassword: async () => (hasPasswords ? identity.issueFirstPassword() : undefined),
    withdrawFirstPassword: () => identity.withdrawFirstPassword(),
    mintToken: (request) => mintFor(work, tokens, configuredUrl(), request),
  };
}

async function createBase(
  options: PlatformOptions,
  { clock, changes, storage, lifetime }: Foundation,
): Promise<{
  readonly base: PlatformBase;
  readonly works: Works;
  readonly idempotency: IdempotencyService;
  readonly audit: AuditLog;
}> {
  const { logger, dataDirectory } = options;
  const { blobs, room } = storage;
  const feed = new ChangeFeed();
  const works = new Works(storage.database, feed, new RowNumbers());
  const { forPlatform: platformWork } = works;
  const { now } = clock;
  await clock.follow(platformWork("the database's time").read, lifetime);
  const limits = { ...defaultLimits, ...options.limits };
  const changesWork = platformWork("changes of all platforms");
  await feed.begin({ work: changesWork, logger, lifetime, limits });
  const secrets = await openSecrets(platformWork("the first start"), options, now());
  await confirmDatabase(options, secrets);
  const common = { blobs, now, logger, lifetime, platformWork };
  const idempotency = new IdempotencyService({ platformWork, now, lifetime });
  const audit = new AuditLog({
    ...common,
    cursors: new ListCursors(secrets.for("audit")),
    secrets,
    keptMs: limits.auditDays * dayMs,
  });
  await audit.begin();
  const worker = newWorker(dataDirectory);
  const sharesWork = platformWork("the share of the numbers of ids");
  const shareOf = { ids: changes.ids, platform: worker.id, work: sharesWork };
  await new IdShares({ ...common, ...shareOf }).begin();
  const base: PlatformBase = {
    ...common,
    merged: works.merged,
    feed,
    database: storage.database,
    room,
    removals: new BlobRemovals({
      ...common,
      platformWork: works.forPlatform,
      dataDirectory,
      areHeld: async (reader) => (await filesHeldSince(reader)) !== undefined,
    }),
    dataDirectory,
    worker,
    blobProvider: options.filesUrl === undefined ? "disk" : "s3",
    extractionCommand: options.extractionCommand,
    ocrFolder: options.ocrFolder,
    fetchHosts: (options.fetchHosts ?? []).map((host) => host.toLowerCase()),
    webhookAddress: {
      allowedHosts: new Set((options.webhookHosts ?? []).map((host) => host.toLowerCase())),
      resolve: options.resolveHost,
    },
    changes,
    limits,
    models: modelsOf(options),
    answers: new AnswerBudget(limits.answerBytes),
    secrets,
  };
  return { base, works, idempotency, audit };
}

function modelsOf({ modelEndpoint }: PlatformOptions): Models {
  return modelEndpoint === undefined ? noModels : openAiModels(modelEndpoint);
}

/**
 * True if this platform may have issued a token with this `iss`. Without a configured URL it is any
 * address that the guard accepts, because tokens must survive a start on another port.
 */
function isOwnIssuer(issuer: string, baseUrl: string | undefined, guard: Guard): boolean {
  if (baseUrl !== undefined) return issuer === baseUrl + authPath;
  if (!URL.canParse(issuer)) return false;
  const { origin, protocol, host } = new URL(issuer);
  return protocol === "http:" && issuer === origin + authPath && guard.isOwnHost(host);
}

interface OpenStorage extends Pick<PlatformBase, "blobs" | "room"> {
  readonly database: Database;
  close(): Promise<void>;
}

/** Opens the file store and the database, and locks the data directory until the close. */
async function openStorage(
  options: PlatformOptions,
  { now, changes }: { readonly now: () => Date; readonly changes: Changes },
): Promise<OpenStorage> {
  const { dataDirectory, databaseUrl, onMigrating, sessions } = options;
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  await refuseOtherKinds(options);
  await refuseMissingDatabase(options);
  const journal = journalOf(options);
  const stored = await openBlobs(options);
  const files = roomWatchedBlobs(
    journal === undefined ? stored : notedBlobs(stored, (file) => journal.note(file)),
  );
  const lock = await lockDataDirectory(dataDirectory, databaseUrl);
  try {
    const opened = await openPlatformDatabase({
      url: databaseUrlOf(options),
      now,
      tuning: { ...fullTuning, ...options.tuning },
      ...given({ onMigrating, copies: copiesOf(options), sessions }),
      ...(options.poolSize === undefined ? {} : { poolSize: options.poolSize }),
      reads: { commits: changes.commits, ids: changes.ids, threads: options.threads ?? 1 },
    });
    await refuseMoved(opened.in(everyWorkspace).read, dataDirectory).catch(
      async (error: unknown) => {
        await opened.close();
        throw error;
      },
    );
    journal?.begin();
    const { database, room } = roomWatched(opened);
    return {
      database,
      blobs: files.blobs,
      room: { database: room, files: files.room },
      async close() {
        await database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
