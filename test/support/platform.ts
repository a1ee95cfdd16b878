import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ProblemCode } from "#contract/problems.ts";
import { createPlatform, type LogEvent, type Platform } from "#server/platform.ts";
import type { PlatformOptions } from "#server/platform/options.ts";
import { checked } from "./contract-check.ts";
import { describeEachDatabase, type DatabaseEngine, type TestDatabase } from "./postgres.ts";
import { temporaryDirectory } from "./temporary.ts";

/** Everybody that a route can be asked by. The four roles are in `tenant`, the outsider is not. */
const testUsers = [
  "tenant-viewer",
  "tenant-staff",
  "tenant-builder",
  "tenant-admin",
  "system-admin",
  "outsider",
] as const;
export type TestUser = (typeof testUsers)[number];

export interface TestAccount {
  readonly oid: string;
  readonly email: string;
  readonly token: string;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, with `headers` naming its type. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer> | FormData | ReadableStream<Uint8Array>;
}

/** What came back, with its body read as JSON where it is that. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** `undefined` where the body is no JSON. */
  readonly json: unknown;
}

export interface Caller {
  get(path: string, options?: CallOptions): Promise<Answered>;
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answered>;
  put(path: string, body?: unknown, options?: CallOptions): Promise<Answered>;
  patch(path: string, body?: unknown, options?: CallOptions): Promise<Answered>;
  delete(path: string, options?: CallOptions): Promise<Answered>;
  /** The response itself, unread: for streams and bytes. */
  fetch(method: string, path: string, options?: CallOptions): Promise<Response>;
}

export interface TestPlatform {
  readonly engine: DatabaseEngine;
  readonly platform: Platform;
  readonly baseUrl: string;
  readonly dataDirectory: string;
  readonly databaseUrl: string;
  /** `tenant` has all roles and a child `child`; `other` is the outsider's own. */
  readonly workspaces: Readonly<Record<"tenant" | "child" | "other", string>>;
  readonly users: Readonly<Record<TestUser, TestAccount>>;
  /** What the platform logged; a test that expects none checks it is empty. */
  readonly log: LogEvent[];
  /** `nobody` sends no token. */
  as(user: TestUser | "nobody"): Caller;
  /** Moves the platform's clock on. */
  advance(milliseconds: number): void;
  now(): Date;
  close(): Promise<void>;
}

export interface TestPlatformOptions {
  readonly database: TestDatabase;
  readonly limits?: PlatformOptions["limits"];
  readonly options?: Partial<PlatformOptions>;
}

/** The origin of in-process calls; nothing listens there. */
export const testBaseUrl = "http://platform.test";

const tokenLifetimeMs = 24 * 60 * 60 * 1000;
const quiet = { info: () => {} };

/** A platform in this process, with a workspace and a user of each role. */
export async function createTestPlatform(wanted: TestPlatformOptions): Promise<TestPlatform> {
  const { database } = wanted;
  const dataDirectory = wanted.options?.dataDirectory ?? (await temporaryDirectory("data"));
  let aheadMs = 0;
  const now = (): Date => new Date(Date.now() + aheadMs);
  const log: LogEvent[] = [];
  const note = (event: LogEvent): void => void log.push(event);
  const platform = await createPlatform({
    dataDirectory,
    databaseUrl: database.url,
    baseUrl: testBaseUrl,
    logger: { ...quiet, warn: note, error: note },
    now,
    extractionCommand: [process.execPath, resolve("src/main.ts"), "__extract"],
    ...(wanted.limits === undefined ? {} : { limits: wanted.limits }),
    ...wanted.options,
  });
  const accounts = new Map<TestUser | "nobody", TestAccount>();
  const as = (user: TestUser | "nobody"): Caller =>
    caller((request) => platform.fetch(request), accounts.get(user)?.token);

  const { token } = await platform.mintToken({ ttlMs: tokenLifetimeMs });
  accounts.set("system-admin", { oid: "", email: "admin@localhost", token });
  const admin = as("system-admin");
  const oid = String(field((await admin.get("/v4/identity/me")).json, "oid"));
  accounts.set("system-admin", { oid, email: "admin@localhost", token });

  const makeRoot = (slug: string): Promise<string> =>
    idOf(admin.post("/v4/platform/tenants", { slug, displayName: slug, homeRegion: "eu" }));
  const tenant = await makeRoot("tenant");
  const other = await makeRoot("other");
  const child = await idOf(
    admin.post(`/v4/platform/tenants/${tenant}/children`, { slug: "child", displayName: "Child" }),
  );
  for (const user of testUsers) {
    if (user === "system-admin") continue;
    const isOutsider = user === "outsider";
    const email = `${user}@example.org`;
    const role = isOutsider ? "tenant-admin" : user;
    const workspace = isOutsider ? other : tenant;
    const path = `/v4/platform/tenants/${workspace}/members/invite`;
    const invited = await admin.post(path, { email, role, firstName: user });
    const member = field(invited.json, "member");
    const minted = await platform.mintToken({ email, ttlMs: tokenLifetimeMs });
    accounts.set(user, { oid: String(field(member, "oid")), email, token: minted.token });
  }
  return {
    engine: database.engine,
    platform,
    baseUrl: testBaseUrl,
    dataDirectory,
    databaseUrl: database.url,
    workspaces: { tenant, child, other },
    users: Object.fromEntries(accounts) as Record<TestUser, TestAccount>,
    log,
    as,
    now,
    advance: (milliseconds) => {
      aheadMs += milliseconds;
    },
    close: () => platform.close(),
  };
}

/**
 * The same tests on both databases, each with one platform for the whole block:
 *
 *     describePlatform("workspaces", (the) => {
 *       test("…", async () => {
 *         await the().as("tenant-staff").get("/v4/identity/me");
 */
export function describePlatform(
  name: string,
  body: (the: () => TestPlatform) => void,
  options: Omit<TestPlatformOptions, "database"> = {},
): void {
  describeEachDatabase(name, ({ create }) => {
    let running: TestPlatform | undefined;
    let database: TestDatabase | undefined;
    beforeAll(async () => {
      database = await create();
      running = await createTestPlatform({ ...options, database });
    });
    afterAll(async () => {
      await running?.close();
      await database?.drop();
    });
    body(() => {
      if (running === undefined) throw new Error("the platform is not there before the tests run");
      return running;
    });
  });
}

/** Calls a platform with one token; paths begin with `/`. */
export function caller(
  fetchPlatform: (request: Request) => Promise<Response>,
  token: string | undefined,
): Caller {
  const send = async (
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<Response> => {
    const headers = new Headers(options.headers);
    if (token !== undefined && !headers.has("authorization")) {
      headers.set("authorization", `Bearer ${token}`);
    }
    let body = options.rawBody;
    if (options.body !== undefined) {
      body = JSON.stringify(options.body);
      if (!headers.has("content-type")) headers.set("content-type", "application/json");
    }
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = body;
    return fetchPlatform(new Request(testBaseUrl + path, init));
  };
  const call = async (
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<Answered> => {
    const response = await send(method, path, options);
    const text = await response.text();
    const answered = { status: response.status, headers: response.headers, text };
    return checked(method, path, { ...answered, json: jsonOf(response.headers, text) });
  };
  return {
    get: (path, options) => call("GET", path, options),
    post: (path, body, options) => call("POST", path, { ...options, body }),
    put: (path, body, options) => call("PUT", path, { ...options, body }),
    patch: (path, body, options) => call("PATCH", path, { ...options, body }),
    delete: (path, options) => call("DELETE", path, options),
    fetch: send,
  };
}

/**
 * One call of the API and what has to come of it. `{name}` is filled in: in the path, the headers,
 * the body and the body that is expected.
 */
export interface ApiCase {
  readonly name: string;
  readonly as?: TestUser | "nobody";
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly rawBody?: CallOptions["rawBody"];
  /** Makes what the case needs, and gives the names that it fills in. */
  readonly before?: (the: TestPlatform) => Promise<Readonly<Record<string, string>> | void>;
  /** The request is sent once before, with success: as it is, or with another body. */
  readonly sentBefore?: "as it is" | "with another body";
  readonly expect: {
    readonly status: number;
    /** The problem's code. */
    readonly code?: ProblemCode;
    /** Where the problem points, in order. */
    readonly pointers?: readonly string[];
    /** What the body has at least (`toMatchObject`). */
    readonly body?: object | undefined;
    /** A text or pattern that the field has; `null` for a field that must not be there. */
    readonly headers?: Readonly<Record<string, string | RegExp | null>>;
    /** Texts that must not come back. */
    readonly excludes?: readonly string[];
  };
  readonly after?: (the: TestPlatform, answered: Answered) => Promise<void>;
}

/**
 * Runs cases as tests. `{tenant}`, `{child}`, `{other}` and each user's oid (`{tenant-staff}`) can
 * be used everywhere. Every answer is held to the contract's own schemas besides.
 */
export function apiCases(the: () => TestPlatform, cases: readonly ApiCase[]): void {
  for (const wanted of cases) {
    test(wanted.name, async () => {
      const platform = the();
      const given = (await wanted.before?.(platform)) ?? {};
      const oids = Object.entries(platform.users).map(([user, { oid }]) => [user, oid]);
      const names = { ...platform.workspaces, ...Object.fromEntries(oids), ...given };
      if (wanted.sentBefore !== undefined) {
        const first = await callFor(platform, sentFirst(wanted, names), names);
        expect({ status: first.status, text: first.text }).toMatchObject({
          status: expect.toSatisfy((status: number) => status < 300),
        });
      }
      const answered = await callFor(platform, wanted, names);
      expectAnswer(answered, { ...wanted.expect, ...filled({ body: wanted.expect.body }, names) });
      await wanted.after?.(platform, answered);
    });
  }
}

/** Another body means the same to a JSON route: a key is held to the bytes. */
function sentFirst(wanted: ApiCase, names: Readonly<Record<string, string>>): ApiCase {
  if (wanted.sentBefore !== "with another body") return wanted;
  const { body, rawBody, ...rest } = wanted;
  if (typeof rawBody === "string") return { ...rest, rawBody: `${rawBody} ` };
  const headers = { ...wanted.headers, "content-type": "application/json" };
  return { ...rest, headers, rawBody: `${JSON.stringify(filled(body, names))} ` };
}

async function callFor(
  platform: TestPlatform,
  wanted: ApiCase,
  names: Readonly<Record<string, string>>,
): Promise<Answered> {
  const { method, headers = {}, body, rawBody } = wanted;
  const path = filled(wanted.path, names);
  const options: CallOptions = {
    headers: filled(headers, names),
    ...(body === undefined ? {} : { body: filled(body, names) }),
    ...(rawBody === undefined ? {} : { rawBody }),
  };
  const response = await platform.as(wanted.as ?? "tenant-admin").fetch(method, path, options);
  const text = await response.text();
  const json = jsonOf(response.headers, text);
  return checked(method, path, { status: response.status, headers: response.headers, text, json });
}

function expectAnswer(answered: Answered, wanted: ApiCase["expect"]): void {
  const { status, code, pointers, body, headers = {}, excludes = [] } = wanted;
  expect({ status: answered.status, text: answered.text }).toMatchObject({ status });
  if (code !== undefined) expect(answered.json).toMatchObject({ code, status });
  if (pointers !== undefined) expect(pointersOf(answered.json)).toEqual(pointers);
  if (body !== undefined) expect(answered.json).toMatchObject(body);
  for (const [name, value] of Object.entries(headers)) {
    const actual = answered.headers.get(name);
    if (value instanceof RegExp) expect(actual).toMatch(value);
    else expect(actual).toBe(value);
  }
  for (const text of excludes) expect(answered.text).not.toContain(text);
}

/** The pointers of a problem's faults. */
export function pointersOf(json: unknown): string[] {
  const faults = field(json, "errors");
  return Array.isArray(faults) ? faults.map((fault) => String(field(fault, "pointer"))) : [];
}

/** A member of a JSON object; undefined where there is none. */
export function field(json: unknown, name: string): unknown {
  if (typeof json !== "object" || json === null) return undefined;
  return new Map<string, unknown>(Object.entries(json)).get(name);
}

async function idOf(pending: Promise<Answered>): Promise<string> {
  const answered = await pending;
  const id = field(answered.json, "id");
  if (typeof id !== "string") throw new Error(`no id came back: ${answered.text}`);
  return id;
}

/** The value with its names filled in; what is no plain JSON, as a matcher, stays what it is. */
function filled<Value>(value: Value, names: Readonly<Record<string, string>>): Value;
function filled(value: unknown, names: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string") {
    return value.replaceAll(/\{([\w-]+)\}/g, (whole, name: string) => names[name] ?? whole);
  }
  if (Array.isArray(value)) return value.map((item: unknown) => filled(item, names));
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([name, inner]: [string, unknown]) => [
    filled(name, names),
    filled(inner, names),
  ]);
  return Object.fromEntries(entries) as unknown;
}

function jsonOf(headers: Headers, text: string): unknown {
  const type = headers.get("content-type") ?? "";
  return /^application\/(?:problem\+)?json/.test(type) ? JSON.parse(text) : undefined;
}
