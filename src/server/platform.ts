import { mkdirSync } from "node:fs";
import { authPath } from "#contract/sign-in.ts";
import { createBlobStore } from "./files/create-blob-store.ts";
import { endpointsOf } from "./http/routing/endpoint.ts";
import type { Peer } from "./http/exchange.ts";
import { Guard } from "./http/guard.ts";
import { RateWindows } from "./http/rates/rate-windows.ts";
import { RateLimiter } from "./http/rates/rate-limiter.ts";
import { Pipeline } from "./http/pipeline.ts";
import { createAccounts } from "./platform/accounts.ts";
import { addressOf } from "./platform/address.ts";
import type { PlatformBase } from "./domains/base.ts";
import { newChanges, type Changes } from "./kit/changes.ts";
import { databaseUrlOf } from "./platform/data-places.ts";
import { holdDirectory } from "./platform/directory-lock-holder.ts";
import { LifetimeOwner } from "./kit/lifetime.ts";
import { defaultLimits, type Limits } from "./kit/limits.ts";
import type { PlatformOptions } from "./platform/options.ts";
import { roomWatched, roomWatchedBlobs } from "./files/disk-space.ts";
import { createServices, type Services } from "./platform/services.ts";
import { Router } from "./http/routing/router.ts";
import { handlersOf } from "./platform/handlers.ts";
import { BlobRemovals } from "./files/removals.ts";
import { firstUserEmail } from "./domains/identity/service.ts";
import { IdempotencyService } from "./domains/idempotency/service.ts";
import { Secrets } from "./domains/secrets/service.ts";
import { OpenIdProvider } from "./domains/sign-in/routes.ts";
import {
  mintFor,
  rememberIssuer,
  type MintedToken,
  type MintOptions,
} from "./domains/tokens/issue-for-script.ts";
import { openPlatformDatabase } from "./schema/platform-database.ts";

export type { Limits } from "./kit/limits.ts";
export type { LogEvent, Logger } from "./kit/logger.ts";
export type { PlatformOptions } from "./platform/options.ts";
export type { Peer } from "./http/exchange.ts";

/** What the operator is shown once. */
export interface FirstSignIn {
  readonly email: string;
  readonly oneTimePassword: string;
}

/** The platform as a function from request to answer, and what its owner may do with it. */
export interface Platform {
  /** Answers any request and never throws. `peer` is who sent it, when it came over a network. */
  fetch(request: Request, peer?: Peer): Promise<Response>;
  readonly services: Services;
  readonly limits: Limits;
  /** What threads share with it that answer reads beside it. */
  readonly changes: Changes;
  readonly rateWindows: RateWindows;
  /** Whom it speaks for where nobody is named: the installation's first user. */
  readonly firstUser: { readonly email: string };
  /** Says at which address it now listens; tokens that are minted name that as their issuer. */
  announce(url: string): Promise<void>;
  /** The first user's one-time password, once; undefined where another provider signs users in. */
  issueFirstPassword(): Promise<FirstSignIn | undefined>;
  /** For an operator who could not be shown it: a later start issues another. */
  withdrawFirstPassword(): Promise<void>;
  /** An access token for scripts on this machine; the first user's without `email`. */
  mintToken(options: MintOptions): Promise<MintedToken>;
  /** Takes no new work and lets what runs end, at most so long. */
  drain(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens the data directory and builds the platform: stores, rules, handlers, pipeline. */
export async function createPlatform(options: PlatformOptions): Promise<Platform> {
  const { dataDirectory, logger, authUrl } = options;
  const now = options.now ?? (() => new Date());
  const limits = { ...defaultLimits, ...options.limits };
  const changes = newChanges();
  const rateWindows = new RateWindows();
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const { filesUrl, filesCredentials } = options;
  const { blobs, room: roomForFiles } = roomWatchedBlobs(
    await createBlobStore({ dataDirectory, filesUrl, credentials: filesCredentials }),
  );
  const held = await holdDirectory(dataDirectory, options.databaseUrl);
  const engine = await openPlatformDatabase({
    url: databaseUrlOf(options),
    now,
    ...(options.onMigrating === undefined ? {} : { onMigrating: options.onMigrating }),
    reads: { commits: changes.commits, ids: changes.ids, threads: options.threads ?? 1 },
  }).catch((error: unknown) => {
    held.release();
    throw error;
  });
  const { database: opened, room } = roomWatched(engine);
  const lifetime = new LifetimeOwner(logger);
  const close = async (): Promise<void> => {
    await lifetime.close();
    await opened.close();
    held.release();
  };
  try {
    const idempotency = new IdempotencyService({ database: opened, now, lifetime });
    const database = idempotency.keyedDatabase();
    const base: PlatformBase = {
      database,
      unkeyedDatabase: opened,
      logger,
      now,
      dataDirectory,
      blobs,
      room: { database: room, files: roomForFiles },
      removals: new BlobRemovals({
        database: opened,
        blobs,
        now,
        logger,
        lifetime,
        dataDirectory,
      }),
      blobProvider: filesUrl === undefined ? "disk" : "s3",
      extractionCommand: options.extractionCommand,
      changes,
      limits,
      lifetime,
      secrets: await Secrets.load(database, now()),
    };

    const configuredUrl = (): string | undefined =>
      typeof options.baseUrl === "function" ? options.baseUrl() : options.baseUrl;
    const guard = new Guard({
      baseUrl: configuredUrl,
      allowedHosts: options.allowedHosts ?? [],
      acceptsAddresses: options.acceptsAddresses ?? false,
    });
    const acceptsIssuer = (issuer: string): boolean => isOwnIssuer(issuer, configuredUrl(), guard);
    const accounts = await createAccounts(base, { authUrl, acceptsIssuer });
    const services = await createServices(base, accounts);
    const { identity } = accounts;
    const first = await identity.ensureFirstUser({
      email: options.firstUser?.email ?? firstUserEmail,
      displayName: options.firstUser?.displayName ?? "Administrator",
    });
    const announce = (url: string): Promise<void> =>
      rememberIssuer(database, configuredUrl() ?? url, now());
    const knownUrl = configuredUrl();
    if (knownUrl !== undefined) await announce(knownUrl);

    const provider = new OpenIdProvider(accounts.signIn);
    const pipeline = new Pipeline({
      router: new Router(endpointsOf(handlersOf(services))),
      guard,
      rates: new RateLimiter({
        name: "default",
        requests: limits.rateRequests,
        windowSeconds: limits.rateWindowSeconds,
        windows: rateWindows,
        now: () => now().getTime(),
      }),
      tokens: accounts.tokens,
      access: accounts.access,
      idempotency,
      limits,
      logger,
      draining: lifetime.draining,
      baseUrlOf: (exchange) => configuredUrl() ?? addressOf(exchange),
      signIn: (exchange) => (authUrl === undefined ? provider.answer(exchange) : undefined),
    });
    lifetime.onDrain(() => pipeline.idle());

    return {
      fetch: (request, peer) => pipeline.fetch(request, peer),
      services,
      limits,
      changes,
      rateWindows,
      firstUser: { email: first.email },
      announce,
      issueFirstPassword: async () =>
        accounts.hasPasswords ? identity.issueFirstPassword() : undefined,
      withdrawFirstPassword: () => identity.withdrawFirstPassword(),
      mintToken: (wanted) => mintFor(database, accounts.tokens, configuredUrl(), wanted),
      drain: (timeoutMs) => lifetime.drain(timeoutMs),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Whether a token of ours may say that it was issued there. Without a configured address it may be
 * any under which the guard lets callers in: the port may change from start to start, and tokens
 * shall outlive that.
 */
function isOwnIssuer(issuer: string, baseUrl: string | undefined, guard: Guard): boolean {
  if (baseUrl !== undefined) return issuer === baseUrl + authPath;
  if (!URL.canParse(issuer)) return false;
  const { origin, protocol, host } = new URL(issuer);
  return protocol === "http:" && issuer === origin + authPath && guard.isOwnHost(host);
}
