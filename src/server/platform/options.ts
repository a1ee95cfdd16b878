import type { Promisable } from "../kit/promisable.ts";
import type { FilesCredentials } from "../files/s3/files-url.ts";
import type { Limits } from "../kit/limits.ts";
import type { Logger } from "../kit/logger.ts";

/** What `createPlatform` is told. Nothing is read from the environment. */
export interface PlatformOptions {
  /** Files, and the SQLite database unless `databaseUrl` names another; made with mode 0700. */
  readonly dataDirectory: string;
  /** `sqlite:PATH` or `postgres://…`; `svc.db` in the data directory by default. */
  readonly databaseUrl?: string;
  /**
   * `s3://bucket/prefix?endpoint=…&region=…&path-style=true` keeps files in an S3-compatible store
   * instead of the data directory; uploads still pass through that.
   */
  readonly filesUrl?: string;
  /** For `filesUrl`; whoever starts the platform takes them from its environment. */
  readonly filesCredentials?: FilesCredentials;
  /**
   * The address under which callers reach the platform, with no trailing slash. Without one it is
   * taken from the request, whose host must then be this machine's own (loopback) name.
   */
  readonly baseUrl?: string | (() => string);
  /** Issuer of an OpenID provider that is not ours: its tokens are taken, and ours are not. */
  readonly authUrl?: string;
  /** Further host names that requests may name, e.g. of a reverse proxy. */
  readonly allowedHosts?: readonly string[];
  /** Set when the platform listens beyond loopback: a numeric address is then a valid host. */
  readonly acceptsAddresses?: boolean;
  readonly logger: Logger;
  readonly now?: () => Date;
  /** The program and arguments that start text extraction in a process of its own. */
  readonly extractionCommand: readonly string[];
  /** How many threads will read its SQLite database, this one among them. Default 1. */
  readonly threads?: number;
  readonly limits?: Partial<Limits>;
  /** Told, before it starts to, that bringing a database of so many bytes up to date takes its time. */
  readonly onMigrating?: (bytes: number) => Promisable<void>;
  readonly firstUser?: { readonly email?: string; readonly displayName?: string };
}
