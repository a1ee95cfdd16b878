import type { Environment } from "#cli/environment.ts";
import type { Platform } from "#server/platform.ts";
import { defaultDataDirectory } from "./serve/data-places.ts";

/** Where a platform in this process seems to be: no name server knows it, nothing listens. */
export const inProcessUrl = "http://localhost:4400";
const tokenTtlMs = 60 * 60 * 1000;
const renewBeforeMs = 60_000;

const whenInUse = "A platform that runs serves it: sign in to that one";

/** Starts a platform in this process, with no port and no words. Throws E205 or E203. */
export async function startInProcess(
  { selfCommand }: Environment,
  dataDirectory: string,
): Promise<Platform> {
  const { createPlatform } = await import("#server/platform.ts");
  try {
    return await createPlatform({
      dataDirectory,
      baseUrl: inProcessUrl,
      extractionCommand: [...selfCommand, "__extract"],
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
  } catch (error) {
    const { storageCatalogError } = await import("#server/platform/storage-catalog-error.ts");
    throw storageCatalogError(error, { dataDirectory }, whenInUse);
  }
}

/** How to reach a platform that runs in this process. */
export interface LocalOwner {
  fetch(request: Request): Promise<Response>;
  /** A good token; minted anew when the last one nears its end or was refused. */
  token(rejected?: string): Promise<string>;
}

/** A platform of the user's own, in this process, with no port: started when it is wanted. */
export class LocalPlatform {
  readonly #environment: Environment;
  #platform: Platform | undefined;
  #minted: { token: string; expiresAt: string } | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Its address; nothing before it is started. */
  get baseUrl(): string | undefined {
    return this.#platform === undefined ? undefined : inProcessUrl;
  }

  /** The way in, where the address is this platform's. */
  ownerOf(address: string): LocalOwner | undefined {
    const platform = this.#platform;
    if (platform === undefined || address !== inProcessUrl) return undefined;
    return {
      fetch: (request) => platform.fetch(request),
      token: (rejected) => this.#token(platform, rejected),
    };
  }

  async start(): Promise<{ baseUrl: string; user: string }> {
    this.#platform ??= await startInProcess(
      this.#environment,
      defaultDataDirectory(this.#environment.homeDirectory),
    );
    return { baseUrl: inProcessUrl, user: this.#platform.firstUser.email };
  }

  /** What `svc serve --demo` fills in; what is there already stays as it is. */
  async fillSampleData(): Promise<void> {
    const platform = this.#platform;
    if (platform === undefined) return;
    const { seedSampleData } = await import("#server/sample-data/seed.ts");
    const token = await this.#token(platform, undefined);
    const fetch = (request: Request): Promise<Response> => platform.fetch(request);
    await seedSampleData({ baseUrl: inProcessUrl, token, fetch });
  }

  async close(): Promise<void> {
    await this.#platform?.drain(2000);
    await this.#platform?.close();
    this.#platform = undefined;
  }

  async #token(platform: Platform, rejected: string | undefined): Promise<string> {
    const left = this.#minted === undefined ? 0 : Date.parse(this.#minted.expiresAt) - Date.now();
    if (this.#minted === undefined || this.#minted.token === rejected || left < renewBeforeMs) {
      this.#minted = await platform.mintToken({ ttlMs: tokenTtlMs });
    }
    return this.#minted.token;
  }
}
