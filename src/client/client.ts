import type * as z from "zod";
import { catalogError } from "#contract/errors.ts";
import type { Domain, Routes } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";
import type { ContractCalls } from "./calls.ts";
import { baseUrlText, BaseUrlError, parsePlatformUrl } from "#lib/base-url.ts";
import { chat } from "./chat.ts";
import { documents } from "./documents.ts";
import type { LooseInput } from "./encode.ts";
import {
  callEvents,
  callForSuccess,
  callRaw,
  callRoute,
  sendForHead,
  type CallSettings,
} from "./invoke.ts";
import type { ClientOptions } from "./options.ts";
import { encodeRequest } from "./request.ts";
import { resources } from "./resources.ts";
import type { Client } from "./surface.ts";
import { requireTimeLimitMs } from "./time-limit.ts";
import type { TypeSources } from "./typed-records.ts";
import { Transport } from "./transport.ts";

const defaultTimeoutMs = 30_000;

type Loaders = { readonly [Name in Domain]: () => Promise<Routes[Name]> };

/** Each domain's schemas are built when its first call is made: a command pays for one domain. */
const loaders: Loaders = {
  health: async () => (await import("#contract/health.ts")).healthRoutes,
  identity: async () => (await import("#contract/identity.ts")).identityRoutes,
  workspaces: async () => (await import("#contract/workspaces.ts")).workspaceRoutes,
  objectTypes: async () => (await import("#contract/object-types.ts")).objectTypeRoutes,
  resources: async () => (await import("#contract/resources.ts")).resourceRoutes,
  storage: async () => (await import("#contract/storage.ts")).storageRoutes,
  documents: async () => (await import("#contract/documents.ts")).documentRoutes,
  chat: async () => (await import("#contract/chat.ts")).chatRoutes,
};

/**
 * A client of one platform. Nothing is sent and no schema is built before the first call. Throws
 * E305 when the base URL or the time limit can't be used.
 *
 * ```ts
 * const client = createClient({ baseUrl: "http://127.0.0.1:4400", token, tenantId });
 * const { items } = await client.useResources("licence").list({ where: { status: "granted" } });
 * ```
 */
export function createClient(options: ClientOptions): Client;
/**
 * The same, with records typed by the Object Types of a project: those that `svc types pull` writes, or
 * `defineObjectTypes` makes.
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
  const baseUrl = platformUrl(options.baseUrl);
  const timeoutMs = requireTimeLimitMs(options.timeoutMs ?? defaultTimeoutMs);
  return makeClient({
    baseUrl,
    tenantId: options.tenantId,
    userAgent: (options.userAgent ?? "svc-client").replace(/[^\x20-\x7e]/g, ""),
    timeoutMs,
    transport: new Transport(options, baseUrl),
  });
}

function platformUrl(text: string): URL {
  try {
    return parsePlatformUrl(text);
  } catch (error) {
    if (!(error instanceof BaseUrlError)) throw error;
    // The value itself is left out: it may hold a password.
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
  return {
    health: domainCalls("health", settings),
    identity: domainCalls("identity", settings),
    workspaces: domainCalls("workspaces", settings),
    objectTypes: domainCalls("objectTypes", settings),
    resources: domainCalls("resources", settings),
    storage: domainCalls("storage", settings),
    documents: domainCalls("documents", settings),
    chat: domainCalls("chat", settings),
  };
}

type RouteTable = Readonly<Record<string, RouteDefinition>>;

/**
 * One domain's calls, made when they are first named. The routes' names are not known before the
 * contract's module is loaded, which is what this must not do: hence the proxy.
 */
function domainCalls<Name extends Domain>(name: Name, settings: CallSettings): ContractCalls[Name] {
  const load = async (): Promise<RouteTable> => await loaders[name]();
  const calls = new Map<string, unknown>();
  const target: ContractCalls[Name] = Object.create(null);
  return new Proxy(target, {
    get(_target, key) {
      // A promise asks every value for `then`, and printing one asks for symbols.
      if (typeof key !== "string" || key === "then" || key === "toJSON") return undefined;
      const known = calls.get(key);
      if (known !== undefined) return known;
      const made = routeCall(`${name}.${key}`, async () => (await load())[key], settings);
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
    const [schema, endMarked] = eventSchema(route);
    if (schema === undefined) throw new TypeError(`${name} has no events`);
    yield* callEvents(route, schema, input, settings, endMarked);
  }
  // A call is a promise and, where the route streams, an async iterable: only the route knows, and
  // it is loaded when either is asked for.
  const call = (input: LooseInput = {}) => {
    if (streamingCalls.has(name)) return events(input);
    return find().then(async (route) =>
      route.reply.type === "bytes"
        ? await callForSuccess(route, input, settings)
        : await callRoute(route, input, settings),
    );
  };
  return Object.assign(call, { raw, events });
}

/** Routes whose reply is events; a promise can't be told from an iterable before they are loaded. */
const streamingCalls: ReadonlySet<string> = new Set(["chat.stream"] satisfies StreamingCall[]);

type StreamingCall = {
  [Name in Domain]: {
    [Key in keyof Routes[Name]]: Routes[Name][Key] extends { reply: { type: "events" } }
      ? `${Name}.${Key & string}`
      : never;
  }[keyof Routes[Name]];
}[Domain];

function eventSchema(route: RouteDefinition): readonly [z.ZodType | undefined, boolean] {
  return route.reply.type === "events" ? [route.reply.schema, true] : [route.events, false];
}
