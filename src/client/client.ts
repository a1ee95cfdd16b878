import { domains } from "#contract/domains.ts";
import { catalogError } from "#contract/errors.ts";
import type { Domain, Routes } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";
import type { ContractCalls } from "./calls.ts";
import { baseUrlText, BaseUrlError, parsePlatformUrl } from "#lib/base-url.ts";
import { chat } from "./chat.ts";
import { documents } from "./documents.ts";
import { refuseUnknown, type LooseInput } from "./encode.ts";
import {
  callEvents,
  callForSuccess,
  callPlain,
  callRaw,
  callRoute,
  sendForHead,
  type CallSettings,
} from "./invoke.ts";
import { KeptAnswers } from "./kept-answers.ts";
import type { ClientOptions } from "./options.ts";
import { encodeRequest } from "./request.ts";
import { plainReads } from "./plain-reads.ts";
import { resources } from "./resources.ts";
import type { Client } from "./surface.ts";
import { requireTimeLimitMs } from "./time-limit.ts";
import type { TypeSources } from "./typed-records.ts";
import { Transport } from "./transport.ts";

const defaultTimeoutMs = 30_000;

const optionNames: Readonly<Record<keyof ClientOptions, true>> = {
  baseUrl: true,
  token: true,
  tenantId: true,
  insecureHttp: true,
  fetch: true,
  timeoutMs: true,
  retry: true,
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
 * The same, with records typed by Object Types: the ones that `svc types pull` writes, or that
 * `defineObjectTypes` returns.
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
    // Without the value: it may have a password.
    throw catalogError("E305", { details: `the platform's base URL ${error.message}` });
  }
}

function makeClient(settings: CallSettings): Client {
  const client: Client = {
    ...contractCalls(settings),
    baseUrl: baseUrlText(settings.baseUrl),
    tenantId: settings.tenantId,
    forTenant: (tenantId) => makeClient({ ...settings, tenantId }),
    request: async (method, path, options = {}) =>
      await sendForHead(encodeRequest(method, path, options, settings), options, settings),
    useDocuments: (tenantId) =>
      documents(tenantId === undefined ? client : client.forTenant(tenantId)),
    useResources: (objectType, { tenantId } = {}) =>
      resources(tenantId === undefined ? client : client.forTenant(tenantId), objectType),
    useChat: (workflowId, { tenantId, stage } = {}) =>
      chat(tenantId === undefined ? client : client.forTenant(tenantId), workflowId, stage),
  };
  return client;
}

function contractCalls(settings: CallSettings): ContractCalls {
  const calls: ContractCalls = Object.create(null);
  for (const [name, load] of Object.entries(domains)) {
    Object.assign(calls, { [name]: domainCalls(name, load, settings) });
  }
  return calls;
}

type RouteTable = Readonly<Record<string, RouteDefinition>>;

/** A proxy, because the names of the routes are not known before their module is loaded. */
function domainCalls(
  domain: string,
  load: () => Promise<RouteTable>,
  settings: CallSettings,
): object {
  const calls = new Map<string, unknown>();
  return new Proxy(Object.create(null), {
    get(_target, key) {
      // `await` reads `then`, `JSON.stringify` reads `toJSON`, and printing reads symbols.
      if (typeof key !== "string" || key === "then" || key === "toJSON") return undefined;
      const known = calls.get(key);
      if (known !== undefined) return known;
      const made = routeCall(`${domain}.${key}`, async () => (await load())[key], settings);
      calls.set(key, made);
      return made;
    },
  });
}

function routeCall(
  name: string,
  load: () => Promise<RouteDefinition | undefined>,
  settings: CallSettings,
) {
  const find = async () => {
    const route = await load();
    if (route === undefined) throw new TypeError(`The client has no call ${name}`);
    return route;
  };
  const raw = async (input: LooseInput = {}) => await callRaw(await find(), input, settings);
  async function* events(input: LooseInput = {}) {
    const route = await find();
    const isStream = route.reply.type === "events";
    const schema = route.reply.type === "events" ? route.reply.schema : route.events;
    if (schema === undefined) throw new TypeError(`${name} has no events`);
    yield* callEvents(route, schema, input, settings, isStream);
  }
  const call = (input: LooseInput = {}) => {
    if (Object.hasOwn(streamingCalls, name)) return events(input);
    // Kept answers belong to the route, whose schemas are then loaded for other reads already.
    const plain = settings.kept === undefined ? plainReads[name]?.(input, settings) : undefined;
    if (plain !== undefined) return callPlain(plain, input, settings, find);
    return find().then(async (route) =>
      route.reply.type === "bytes"
        ? await callForSuccess(route, input, settings)
        : await callRoute(route, input, settings),
    );
  };
  return Object.assign(call, { raw, events });
}

/** Routes that reply with events: their call returns an iterable before the route is loaded. */
const streamingCalls: Readonly<Record<StreamingCall, true>> = {
  "chat.stream": true,
  "chat.resume": true,
};

type StreamingCall = {
  [Name in Domain]: {
    [Key in keyof Routes[Name]]: Routes[Name][Key] extends { reply: { type: "events" } }
      ? `${Name}.${Key & string}`
      : never;
  }[keyof Routes[Name]];
}[Domain];
