import {
  AppConfigurationClient,
  type AppConfigurationClientOptions,
} from "@azure/app-configuration";
import { catalogError, CatalogError } from "#contract/errors.ts";
import type { FetchFunction } from "#lib/network/fetch-function.ts";
import { isLoopback, networkFetch } from "#lib/network/network-fetch.ts";
import { redact } from "#lib/text/redact.ts";
import { maximumSettings, type EnvStore, type StoredSetting } from "./store.ts";

export interface AzureStoreOptions {
  /** A text of the form `Endpoint=…;Id=…;Secret=…`. */
  readonly connectionString: string;
  readonly signal: AbortSignal;
  readonly fetch?: FetchFunction | undefined;
}

const callLimitMs = 30_000;
const maximumBodyBytes = 8 * 1024 * 1024;
const vaultReference = "application/vnd.microsoft.appconfig.keyvaultref+json";

/** Azure App Configuration: keys `svc/<project>/<name>` with the label. */
export function azureStore(options: AzureStoreOptions): EnvStore {
  const { connectionString } = options;
  const endpoint = endpointOf(connectionString);
  const client = new AppConfigurationClient(connectionString, {
    allowInsecureConnection: isLoopback(endpoint),
    retryOptions: { maxRetries: 2, maxRetryDelayInMs: 2000 },
    redirectOptions: { maxRetries: 0 },
    httpClient: httpClient(options),
  });
  const prefixOf = (project: string) => `svc/${project}/`;
  const attempt = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw failure(error, endpoint, options);
    }
  };
  return {
    place: endpoint.origin,
    read: (project, label) =>
      attempt(async () => {
        const prefix = prefixOf(project);
        const found: StoredSetting[] = [];
        const listed = client.listConfigurationSettings({
          keyFilter: `${prefix}*`,
          labelFilter: label,
          abortSignal: options.signal,
        });
        for await (const { key, value, contentType, tags } of listed) {
          if (found.length >= maximumSettings) {
            const details = `the store has more than ${maximumSettings} settings for ${project}`;
            throw catalogError("E006", { details });
          }
          // A reference names a secret of another service, which this client does not read.
          if (value === undefined || contentType?.startsWith(vaultReference) === true) continue;
          const name = key.slice(prefix.length);
          found.push({ name, value, isSecret: tags?.["secret"] === "true" });
        }
        return found;
      }),
    write: (project, label, settings) =>
      attempt(async () => {
        for (const { name, value, isSecret } of settings) {
          await client.setConfigurationSetting(
            {
              key: `${prefixOf(project)}${name}`,
              label,
              value,
              contentType: "text/plain",
              tags: { secret: String(isSecret) },
            },
            { abortSignal: options.signal },
          );
        }
      }),
  };
}

/** Throws E006 for a connection string without an endpoint, or over plain HTTP. */
function endpointOf(connectionString: string): URL {
  const text = /(?:^|;)\s*Endpoint=([^;]+)/i.exec(connectionString)?.[1] ?? "";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url));
  const isWhole =
    /(?:^|;)Id=[^;]+/.test(connectionString) && /(?:^|;)Secret=/.test(connectionString);
  if (url !== undefined && isSafe && isWhole) return url;
  throw catalogError(
    "E006",
    { details: "AZURE_APPCONFIG_CONNECTION_STRING is not a connection string" },
    { hint: "Expected: Endpoint=https://…;Id=…;Secret=…" },
  );
}

type HttpClient = NonNullable<AppConfigurationClientOptions["httpClient"]>;

/** Sends the library's requests by our own fetch: no proxy for this machine, no redirects. */
function httpClient({ fetch = networkFetch, signal }: AzureStoreOptions): HttpClient {
  return {
    sendRequest: async (request) => {
      const { body } = request;
      const response = await fetch(
        new Request(request.url, {
          method: request.method,
          headers: request.headers.toJSON({ preserveCase: true }),
          body: typeof body === "string" ? body : null,
          redirect: "manual",
          signal: AbortSignal.any([signal, AbortSignal.timeout(callLimitMs)]),
        }),
      );
      const { readBoundedText } = await import("#lib/network/bounded-body.ts");
      const bodyAsText = await readBoundedText(response, maximumBodyBytes);
      const headers = request.headers;
      const sent = Array.from(headers, ([name]) => name);
      for (const name of sent) headers.delete(name);
      response.headers.forEach((value, name) => headers.set(name, value));
      return { request, status: response.status, headers, bodyAsText };
    },
  };
}

function failure(error: unknown, endpoint: URL, { connectionString, signal }: AzureStoreOptions) {
  if (error instanceof CatalogError || signal.aborted) return error;
  const secret = /(?:^|;)Secret=([^;]+)/.exec(connectionString)?.[1] ?? "";
  const status =
    error instanceof Error && "statusCode" in error && typeof error.statusCode === "number"
      ? error.statusCode
      : undefined;
  if (status === 401 || status === 403) {
    const details = `the configuration store refused the credentials (HTTP ${status})`;
    return catalogError("E006", { details }, { hint: "Check AZURE_APPCONFIG_CONNECTION_STRING" });
  }
  const words = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
  const reason = status === undefined ? redact(words, [secret]).slice(0, 200) : `HTTP ${status}`;
  const details = `the configuration store ${endpoint.origin} failed: ${reason}`;
  return catalogError("E006", { details }, { cause: error });
}
