import { catalogError } from "#contract/errors.ts";
import type { Domain } from "#contract/index.ts";
import { domainNames, routeNames } from "#contract/plain/route-table.ts";
import type { ContractCalls } from "./calls.ts";
import { baseUrlText, BaseUrlError, parsePlatformUrl } from "#lib/network/base-url.ts";
import { chat } from "./chat/chat.ts";
import { documents } from "./documents/documents.ts";
import { refuseUnknown, type LooseInput } from "./request/encode.ts";
import { callForSuccess, callRaw, callRoute, sendForHead, type CallSettings } from "./invoke.ts";
import { KeptAnswers } from "./transport/kept-answers.ts";
import type { ClientOptions } from "./options.ts";
import { resources } from "./records/resources.ts";
import { clientRoute, type ClientRoute } from "./route.ts";
import type { Client } from "./surface.ts";
import { requireTimeLimitMs } from "./transport/time-limit.ts";
import type { TypeSources } from "./records/typed-records.ts";
import { Transport } from "./transport/transport.ts";

const defaultTimeoutMs = 30_000;

const optionNames: Readonly<Record<keyof ClientOptions, true>> = {
  baseUrl: true,
  token: true,
  tenantId: true,
  insecureHttp: true,
  fetch: true,
  timeoutMs: true,
  retry: true,
  readOnly: true,
  keptAnswers: true,
  userAgent: true,
  proxyVariable: true,
  onDeprecation: true,
  onRequest: true,
  onSend: true,
};
const knownOptions: ReadonlySet<string> = new Set(Object.keys(optionNames));

/**
 * A client of one platform; it sends nothing before the first call. Throws E305 for an invalid base
 * URL or timeout, and for an unknown option.
 *
 * ```ts
 * const client = createClient({ baseUrl: "http://127.0.0.1:4400", token, tenantId });
 * const { items } = await client.useResources("licence").list({ where: { status: "granted" } });
 * ```
 */
export function createClient(options: ClientOptions): Client;
/**
 * Returns a client with records typed by Object Types: those of `svc types pull`, or of
 * `defineObjectTypes`.
 *
 * ```ts
 * import { objectTypes } from "./eai.config/object-types.generated.ts";
 *
 * const client = createClient<typeof objectTypes>({ baseUrl, token, tenantId });
 * const { data } = await client.useResources("licence").get(id); // typed by its properties
 * ```
 */
export function createClient<const Types extends TypeSources>(
  options: ClientOptions,
): Client<Types>;
export function createClient(options: ClientOptions): Client {
  refuseUnknown(options, knownOptions, "createClient");
  const baseUrl = platformUrl(options.baseUrl);
  const timeoutMs = requireTimeLimitMs(options.timeoutMs ?? defaultTimeoutMs);
  const { keptAnswers = 0 } = options;
  return makeClient({
    baseUrl,
    tenantId: options.tenantId,
    userAgent: (options.userAgent ?? "svc-client").replace(/[^\x20-\x7e]/g, ""),
    timeoutMs,
    transport: new Transport(options, baseUrl),
    ...(keptAnswers > 0 ? { kept: new KeptAnswers(keptAnswers) } : {}),
  });
}

function platformUrl(text: string): URL {
  try {
    return parsePlatformUrl(text);
  } catch (error) {
    if (!(error instanceof BaseUrlError)) throw error;
    // The message leaves the value out, because it may have a password.
    throw catalogError("E305", { details: `the platform's base URL ${error.message}` });
  }
}

function makeClient(settings: CallSettings): Client {
  const own: Omit<Client, Domain> = {
    baseUrl: baseUrlText(settings.baseUrl),
    tenantId: settings.tenantId,
    forTenant: (tenantId) => makeClient({ ...settings, tenantId }),
    request: async (method, path, options = {}) => {
      const { encodeRequest } = await import("./request/request.ts");
      const outgoing = encodeRequest(method, path, options, settings);
      return await sendForHead(outgoing, options, settings);
    },
    async *watch(options) {
      const { watch } = await import("./watch/watch.ts");
      yield* watch(client, options);
    },
    places: async (query, options) => {
      const { places } = await import("./geo/places.ts");
      return await places(client, query, options);
    },
    reportFile: async (report, form, options) => {
      const { reportFile } = await import("./geo/reports.ts");
      return await reportFile(settings, report, form, options);
    },
    useDocuments: (tenantId) =>
      documents(tenantId === undefined ? client : client.forTenant(tenantId)),
    useResources: (objectType, { tenantId } = {}) =>
      resources(tenantId === undefined ? client : client.forTenant(tenantId), objectType),
    useChat: (workflowId, { tenantId, stage } = {}) =>
      chat(tenantId === undefined ? client : client.forTenant(tenantId), workflowId, stage),
  };
  const client = Object.assign(contractCalls(settings), own);
  return client;
}

/** The calls of a domain are made when the domain is first used. */
function contractCalls(settings: CallSettings): ContractCalls {
  const calls: ContractCalls = Object.create(Object.prototype);
  for (const domain of domainNames) {
    const make = (): object => {
      const names = routeNames(domain);
      return Object.fromEntries(names.map((name) => [name, routeCall(domain, name, settings)]));
    };
    let made: object | undefined;
    Object.defineProperty(calls, domain, { enumerable: true, get: () => (made ??= make()) });
  }
  return calls;
}

/** The call of a route, which is read from the contract when it is first called. */
function routeCall(domain: Domain, name: string, settings: CallSettings) {
  let known: ClientRoute | undefined;
  const called = (): ClientRoute => (known ??= clientRoute(domain, name));
  const raw = async (input: LooseInput = {}) => await callRaw(called(), input, settings);
  async function* events(input: LooseInput = {}) {
    const { callEvents } = await import("./answer/call-events.ts");
    yield* callEvents(called(), input, settings);
  }
  const call = (input: LooseInput = {}) => {
    const route = called();
    const { type } = route.reply;
    if (type === "events") return events(input);
    return type === "bytes"
      ? callForSuccess(route, input, settings)
      : callRoute(route, input, settings);
  };
  return Object.assign(call, { raw, events });
}
