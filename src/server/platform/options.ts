import type { Site } from "#lib/site-page.ts";
import type { Promisable } from "../kit/promisable.ts";
import type { ProcessUsage } from "../domains/metrics/service.ts";
import type { FactorRule } from "../domains/factors/service.ts";
import type { FilesCredentials } from "../files/s3/files-url.ts";
import type { Limits } from "../kit/limits.ts";
import type { ModelEndpoint } from "../models/endpoint.ts";
import type { SessionSource } from "../database/postgresql/sessions.ts";
import type { Logger } from "../kit/logger.ts";
import type { Resolve } from "../kit/outbound/checked-address.ts";
import type { Tuning } from "../kit/tuning.ts";
import type { BackupSettings } from "./backup/schedule/scheduled-backups.ts";

/** The registration of the platform and the command with an external provider. */
export interface ProviderRegistration {
  /** The `aud` of its access tokens; `svc-platform` by default. */
  readonly audience?: string;
  /** The client of `svc login`; `svc` by default. */
  readonly clientId?: string;
  /** Scopes that `svc login` needs in addition to those of OpenID Connect. */
  readonly scopes?: readonly string[];
}

/** The options of `createPlatform`, which reads nothing from the environment. */
export interface PlatformOptions {
  /** Contains the files, and SQLite unless `databaseUrl` is given; created with mode 0700. */
  readonly dataDirectory: string;
  /** `sqlite:PATH` or `postgres://…`; `svc.db` in the data directory by default. */
  readonly databaseUrl?: string | undefined;
  /** PostgreSQL: connections for reads, for pages and for writes. Default 5, with 20 in all. */
  readonly poolSize?: number | undefined;
  /** PostgreSQL: opens the sessions, for tests whose platforms come in turn. */
  readonly sessions?: SessionSource | undefined;
  /** Seals the secrets in the database; `svc.key` in the data directory by default. */
  readonly keyFile?: string | undefined;
  /**
   * `s3://bucket/prefix?endpoint=…&region=…&path-style=true` stores files in an S3-compatible
   * store. Uploads still use the data directory.
   */
  readonly filesUrl?: string | undefined;
  /** The schedule of backups; none by default. */
  readonly backups?: BackupSettings | undefined;
  /** The credentials of `filesUrl`; the command takes them from its environment. */
  readonly filesCredentials?: FilesCredentials | undefined;
  /**
   * The platform's public URL, without a trailing slash. Without it each request's host is used,
   * which must be a loopback name.
   */
  readonly baseUrl?: string | (() => string) | undefined;
  /** Issuer of an external OpenID provider; only its tokens are accepted. */
  readonly authUrl?: string | undefined;
  /** How the external provider knows the platform and the command. */
  readonly authRegistration?: ProviderRegistration | undefined;
  /** `smtp://user:password@host:587?from=svc@example.org` sends invitations by mail. */
  readonly smtpUrl?: string | undefined;
  /** The accounts that must sign in with a second factor; none by default. */
  readonly factorRule?: FactorRule | undefined;
  /** An OpenAI-compatible endpoint; without one answers are extractive. */
  readonly modelEndpoint?: ModelEndpoint | undefined;
  /** More accepted host names, e.g. of a reverse proxy. */
  readonly allowedHosts?: readonly string[];
  /** Accepts numeric addresses as hosts, for a platform that listens beyond loopback. */
  readonly acceptsAddresses?: boolean;
  /** True if `/ready` is 503 while writes fail; only failing reads and a drain count by default. */
  readonly readyNeedsWrites?: boolean;
  /** The use of the process, for metrics. */
  readonly processUsage?: (() => ProcessUsage) | undefined;
  readonly logger: Logger;
  readonly now?: () => Date;
  /** The milliseconds of this machine's clock, which is compared with that of the database. */
  readonly systemMs?: () => number;
  /** Program and arguments of the text extraction process. */
  readonly extractionCommand: readonly string[];
  /** Folder of `<language>.traineddata` files for text in pictures; English needs none. */
  readonly ocrFolder?: string | undefined;
  /** Hosts, `name` or `name:port`, that `classify-by-url` may fetch from on a private network. */
  readonly fetchHosts?: readonly string[] | undefined;
  /** Hosts, `name` or `name:port`, of webhook endpoints on a private network. */
  readonly webhookHosts?: readonly string[] | undefined;
  /** Resolves the hosts of webhook endpoints (default: the system's resolver). */
  readonly resolveHost?: Resolve | undefined;
  /** Number of threads that read its SQLite database, including this one. Default 1. */
  readonly threads?: number | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Switches speed mechanisms off, for benchmarks. */
  readonly tuning?: Partial<Tuning> | undefined;
  /** Builds the reference below `/docs`; without it the platform has none. */
  readonly documentation?: (() => Promise<Site>) | undefined;
  /** Called before a migration, with the database's size. */
  readonly onMigrating?: (bytes: number) => Promisable<void>;
  readonly firstUser?: { readonly email?: string; readonly displayName?: string };
}
