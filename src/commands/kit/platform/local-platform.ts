import type { Environment } from "#cli/environment.ts";
import type { TokenSet } from "#auth/surface.ts";
import { CatalogError } from "#contract/errors.ts";
import { authPath, commandClientId } from "#contract/access/sign-in.ts";
import type { Site } from "#lib/site-page.ts";
import type { Platform } from "#server/platform.ts";
import { defaultDataDirectory } from "./data-directory.ts";

/** The address of a platform in this process that opens no port. */
export const inProcessUrl = "http://localhost:4400";
const loopbackHost = "127.0.0.1";
const usualPort = 4400;
const tokenTtlMs = 60 * 60 * 1000;
/** Commands use the token too, and renew one that expires within a minute. */
const renewBeforeMs = 10 * 60_000;
const drainMs = 2000;

const hintWhenInUse = "A running platform uses it: sign in to that one";

interface Start {
  readonly dataDirectory: string;
  /** Its address, if it opens no port. */
  readonly baseUrl?: string;
  /** The pages at `/docs`, made at their first request. */
  readonly documentation?: () => Promise<Site>;
}

async function startPlatform({ selfCommand }: Environment, start: Start): Promise<Platform> {
  const { createPlatform } = await import("#server/platform.ts");
  try {
    return await createPlatform({
      ...start,
      extractionCommand: [...selfCommand, "__extract"],
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
  } catch (error) {
    const { storageCatalogError } = await import("#server/platform/storage-catalog-error.ts");
    throw storageCatalogError(error, start, hintWhenInUse);
  }
}

/** Starts a platform in this process, without a port or log lines. Throws E205 or E203. */
export function startInProcess(environment: Environment, dataDirectory: string): Promise<Platform> {
  return startPlatform(environment, { dataDirectory, baseUrl: inProcessUrl });
}

/** A platform in this process that commands reach on a loopback port. */
export interface ListeningPlatform {
  readonly platform: Platform;
  /** Its address, without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a platform on port 4400 of the loopback address, or on a free port. */
export async function startListening(
  environment: Environment,
  start: Omit<Start, "baseUrl">,
): Promise<ListeningPlatform> {
  const [platform, { listen }] = await Promise.all([
    startPlatform(environment, start),
    import("#server/platform/listen.ts"),
  ]);
  const listenOn = (port: number) =>
    listen({ host: loopbackHost, port }, platform, Promise.resolve());
  try {
    const server = await listenOn(usualPort).catch(() => listenOn(0));
    const url = `http://${loopbackHost}:${server.port}`;
    await platform.announce(url);
    return {
      platform,
      url,
      close: async () => {
        await platform.drain(drainMs);
        await server.stop(true);
        await platform.close();
      },
    };
  } catch (error) {
    await platform.close();
    throw error;
  }
}

export interface LocalOwner {
  fetch(request: Request): Promise<Response>;
  /** A valid token. A new one is minted when the last one expires soon or was rejected. */
  token(rejected?: string): Promise<string>;
}

/** The place where commands of the same user find their sign-in. */
export interface SignInPlace {
  readonly configDirectory: string;
  readonly profile: string;
}

export interface StartedPlatform {
  readonly baseUrl: string;
  readonly user: string;
  /** True if commands are signed in: `tokens.json` may be read-only. */
  readonly servesCommands: boolean;
}

/** The user's platform in this process, started on request. */
export class LocalPlatform {
  readonly #environment: Environment;
  readonly #documentation: () => Promise<Site>;
  #running: ListeningPlatform | undefined;
  #minted: { token: string; expiresAt: string } | undefined;
  #signIns: CommandSignIn | undefined;

  constructor(environment: Environment, documentation: () => Promise<Site>) {
    this.#environment = environment;
    this.#documentation = documentation;
  }

  get baseUrl(): string | undefined {
    return this.#running?.url;
  }

  /** Access to this platform, if the address is its own. */
  ownerOf(address: string): LocalOwner | undefined {
    const running = this.#running;
    if (running === undefined || address !== running.url) return undefined;
    return {
      fetch: (request) => running.platform.fetch(request),
      token: (rejected) => this.#token(running.platform, rejected),
    };
  }

  /**
   * The address of another process that serves the user's data, after {@link start} was refused
   * with `error`; undefined for any other failure.
   */
  async runningElsewhere(error: unknown): Promise<string | undefined> {
    const { cause } = error instanceof CatalogError ? error : {};
    if (!(cause instanceof Error) || cause.name !== "DataDirectoryInUseError") return undefined;
    const { keptAddress } = await import("#server/platform/worker.ts");
    return keptAddress(defaultDataDirectory(this.#environment.homeDirectory));
  }

  /** Starts it, and signs commands of this profile in to it until it is closed. */
  async start(place: SignInPlace): Promise<StartedPlatform> {
    const { homeDirectory } = this.#environment;
    const running = (this.#running ??= await startListening(this.#environment, {
      dataDirectory: defaultDataDirectory(homeDirectory),
      documentation: this.#documentation,
    }));
    this.#signIns ??= new CommandSignIn(place, running.url);
    await this.#token(running.platform);
    return {
      baseUrl: running.url,
      user: running.platform.firstUser.email,
      servesCommands: this.#signIns.isStored,
    };
  }

  /** Adds the sample data of `svc serve --demo`; existing data stay unchanged. */
  async fillSampleData(): Promise<void> {
    const baseUrl = this.baseUrl ?? "";
    const owner = this.ownerOf(baseUrl);
    const platform = this.#running?.platform;
    if (owner === undefined || platform === undefined) return;
    const { seedSampleData } = await import("#server/sample-data/seed.ts");
    const admit = (secret: string) => platform.services.invitations.admit(secret);
    await seedSampleData({ baseUrl, token: await owner.token(), fetch: owner.fetch, admit });
  }

  async close(): Promise<void> {
    await this.#signIns?.restore();
    await this.#running?.close();
    this.#running = undefined;
  }

  async #token(platform: Platform, rejected?: string): Promise<string> {
    const left = this.#minted === undefined ? 0 : Date.parse(this.#minted.expiresAt) - Date.now();
    if (this.#minted === undefined || this.#minted.token === rejected || left < renewBeforeMs) {
      this.#minted = await platform.mintToken({ ttlMs: tokenTtlMs });
      await this.#signIns?.store(this.#minted);
    }
    return this.#minted.token;
  }
}

/** The sign-in of commands to the platform of this process; the one before it comes back. */
class CommandSignIn {
  readonly #place: SignInPlace;
  readonly #url: string;
  #before: Promise<TokenSet | undefined> | undefined;
  #isStored = false;

  constructor(place: SignInPlace, url: string) {
    this.#place = place;
    this.#url = url;
  }

  get isStored(): boolean {
    return this.#isStored;
  }

  async store({ token, expiresAt }: { token: string; expiresAt: string }): Promise<void> {
    const issuer = `${this.#url}${authPath}`;
    const tokenEndpoint = `${issuer}/oauth2/v2.0/token`;
    const tokens = {
      accessToken: token,
      expiresAt,
      issuer,
      tokenEndpoint,
      clientId: commandClientId,
    };
    this.#isStored = await this.#write(tokens);
  }

  async restore(): Promise<void> {
    if (this.#isStored) await this.#write(await this.#before);
  }

  /** Returns whether it could be written: the dashboard works without it. */
  async #write(tokens: TokenSet | undefined): Promise<boolean> {
    const { readSignIn, withTokenLock, writeSignIn } = await import("#auth/token-file.ts");
    const { configDirectory, profile } = this.#place;
    const key = { profile, origin: this.#url };
    try {
      await withTokenLock(configDirectory, async () => {
        this.#before ??= readSignIn(configDirectory, key);
        await this.#before;
        await writeSignIn(configDirectory, key, tokens);
      });
      return true;
    } catch (error) {
      if (error instanceof CatalogError) return false;
      throw error;
    }
  }
}
