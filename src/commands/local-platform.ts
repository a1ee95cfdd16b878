import type { Environment } from "#cli/environment.ts";
import type { Platform } from "#server/platform.ts";
import { defaultDataDirectory } from "./serve/data-places.ts";

/** The address of a platform in this process. It opens no port. */
export const inProcessUrl = "http://localhost:4400";
const tokenTtlMs = 60 * 60 * 1000;
const renewBeforeMs = 60_000;

const hintWhenInUse = "A running platform uses it: sign in to that one";

/** Starts a platform in this process, without a port or log lines. Throws E205 or E203. */
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
    throw storageCatalogError(error, { dataDirectory }, hintWhenInUse);
  }
}

export interface LocalOwner {
  fetch(request: Request): Promise<Response>;
  /** A valid token. A new one is minted when the last one expires soon or was rejected. */
  token(rejected?: string): Promise<string>;
}

/** The user's platform in this process, started on request. */
export class LocalPlatform {
  readonly #environment: Environment;
  #platform: Platform | undefined;
  #minted: { token: string; expiresAt: string } | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  get baseUrl(): string | undefined {
    return this.#platform === undefined ? undefined : inProcessUrl;
  }

  /** Access to this platform, if the address is its own. */
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

  /** Adds the sample data of `svc serve --demo`; existing data stay unchanged. */
  async fillSampleData(): Promise<void> {
    const owner = this.ownerOf(inProcessUrl);
    if (owner === undefined) return;
    const { seedSampleData } = await import("#server/sample-data/seed.ts");
    const token = await owner.token();
    await seedSampleData({ baseUrl: inProcessUrl, token, fetch: owner.fetch });
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
