import { afterAll, beforeAll, describe } from "vitest";
import { createPlatform, type LogEvent, type Platform } from "#server/platform.ts";
import { given } from "#lib/given.ts";
import type { PlatformOptions } from "#server/platform/options.ts";
import { checked } from "./contract-check.ts";
import { describeEachDatabase } from "./postgres.ts";
import type { DatabaseEngine, TestDatabase } from "./postgres.ts";
import { quietTuning } from "./databases.ts";
import { KeptDatabases } from "./kept-database.ts";
import { createPlatformTables, keptFolder, preparedDatabases } from "./prepared.ts";
import { startTestThread } from "./reading-thread.ts";
import { temporaryDirectory } from "./temporary.ts";
import { soonExtractionProgram } from "./svc.ts";

/** The callers in tests. The four roles are members of `tenant`, the outsider is not. */
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
  /** A value that is sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, with `headers` naming its type. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer> | FormData | ReadableStream<Uint8Array>;
}

/** The response, with its body parsed when it is JSON. */
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
  /** Calls by method and path, as API cases name them. */
  call(method: string, path: string, options?: CallOptions): Promise<Answered>;
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
  /** The platform's log; a test that expects no entries checks that it is empty. */
  readonly log: LogEvent[];
  /** The anonymous caller sends no token. */
  as(user: TestUser | "nobody"): Caller;
  /** Answers as the calls of {@link as} are answered: over the reading thread, if there is one. */
  readonly answer: (request: Request) => Promise<Response>;
  /** Moves the platform's clock on. */
  advance(milliseconds: number): void;
  now(): Date;
  close(): Promise<void>;
}

export interface TestPlatformOptions {
  readonly database: TestDatabase;
  readonly limits?: PlatformOptions["limits"];
  readonly options?: Partial<PlatformOptions>;
  /** Calls go through a reading thread of the platform; only with SQLite. */
  readonly isInThread?: boolean;
}

/** The workspaces and users of a test platform. */
type Residents = Pick<TestPlatform, "workspaces" | "users">;

/** The origin of in-process calls; nothing listens there. */
export const testBaseUrl = "http://platform.test";

const tokenLifetimeMs = 24 * 60 * 60 * 1000;
const quiet = { info: () => {} };

/** A platform in this process, with a workspace and a user of each role. */
export async function createTestPlatform(
  wanted: TestPlatformOptions & { readonly residents?: Residents },
): Promise<TestPlatform> {
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
    extractionCommand: await soonExtractionProgram(),
    // Two connections of a kind are enough to race, and one takes 15 ms of processor time to open.
    poolSize: 2,
    ...(wanted.limits === undefined ? {} : { limits: wanted.limits }),
    ...wanted.options,
    tuning: { ...quietTuning, ...wanted.options?.tuning },
  });
  const thread =
    wanted.isInThread === true
      ? await startTestThread(platform, { baseUrl: testBaseUrl, databaseUrl: database.url, note })
      : undefined;
  const answer = thread?.fetch ?? ((request: Request) => platform.fetch(request));
  const residents = wanted.residents ?? (await fillPlatform(platform, answer));
  return {
    engine: database.engine,
    platform,
    baseUrl: testBaseUrl,
    dataDirectory,
    databaseUrl: database.url,
    ...residents,
    log,
    as: (user) => caller(answer, user === "nobody" ? undefined : residents.users[user].token),
    answer,
    now,
    advance: (milliseconds) => {
      aheadMs += milliseconds;
    },
    close: async () => {
      await thread?.stop();
      await platform.close();
    },
  };
}

/** Makes the workspaces and users, with the calls of an administrator. */
async function fillPlatform(
  platform: Platform,
  answer: (request: Request) => Promise<Response>,
): Promise<Residents> {
  const { token } = await platform.mintToken({ ttlMs: tokenLifetimeMs });
  const admin = caller(answer, token);
  const empty = { starterTemplate: "empty-template" };
  const makeRoot = (slug: string): Promise<string> =>
    idOf(
      admin.post("/v4/platform/tenants", { ...empty, slug, displayName: slug, homeRegion: "eu" }),
    );
  const own = String(field((await admin.get("/v4/identity/me")).json, "oid"));
  const tenant = await makeRoot("tenant");
  const other = await makeRoot("other");
  const child = await idOf(
    admin.post(`/v4/platform/tenants/${tenant}/children`, {
      ...empty,
      slug: "child",
      displayName: "Child",
    }),
  );
  const account = async (user: TestUser): Promise<TestAccount> => {
    if (user === "system-admin") return { oid: own, email: "admin@localhost", token };
    const isOutsider = user === "outsider";
    const email = `${user}@example.org`;
    const role = isOutsider ? "tenant-admin" : user;
    const workspace = isOutsider ? other : tenant;
    const path = `/v4/platform/tenants/${workspace}/members/invite`;
    const invited = await admin.post(path, { email, role, firstName: user });
    const { oid } = await platform.services.invitations.admit(
      String(field(invited.json, "secret")),
    );
    const minted = await platform.mintToken({ email, ttlMs: tokenLifetimeMs });
    return { oid, email, token: minted.token };
  };
  const users = new Map<TestUser, TestAccount>();
  for (const user of testUsers) users.set(user, await account(user));
  return {
    workspaces: { tenant, child, other },
    users: Object.fromEntries(users) as Record<TestUser, TestAccount>,
  };
}

/** A filled platform of each engine, made once for a worker, with its data directory. */
const filledPlatforms = preparedDatabases(async (database) => {
  const dataDirectory = await temporaryDirectory("data");
  const the = await createTestPlatform({ database, options: { dataDirectory } });
  await the.close();
  const { workspaces, users } = the;
  return { workspaces, users, unpack: await keptFolder(dataDirectory) };
}, createPlatformTables);

/** The worker's databases of platforms on PostgreSQL, which one file after the other uses. */
const keptDatabases = new KeptDatabases(async () => (await filledPlatforms("postgresql")).copy());

/** Options that the data of a platform depends on. */
const startOptions = ["authUrl", "baseUrl", "dataDirectory", "filesUrl", "firstUser", "keyFile"];

/** A platform with its own data, copied from the worker's; `close` also drops the database. */
export async function openTestPlatform(
  engine: DatabaseEngine,
  wanted: Omit<TestPlatformOptions, "database">,
): Promise<TestPlatform> {
  const { options = {} } = wanted;
  const isOwnStart = startOptions.some((name) => name in options);
  if (isOwnStart) {
    const database = await createPlatformTables(engine);
    return dropping(database, await createTestPlatform({ ...wanted, database }));
  }
  const { made, copy } = await filledPlatforms(engine);
  const kept = engine === "postgresql" ? await keptDatabases.take() : undefined;
  const database = kept?.database ?? (await copy());
  const dataDirectory = await temporaryDirectory("data");
  await made.unpack(dataDirectory);
  const platform = await createTestPlatform({
    ...wanted,
    options: { ...given({ sessions: kept?.sessions }), ...options, dataDirectory },
    database,
    residents: { workspaces: made.workspaces, users: made.users },
  });
  return dropping(database, platform);
}

function dropping(database: TestDatabase, platform: TestPlatform): TestPlatform {
  return {
    ...platform,
    close: async () => {
      await platform.close();
      await database.drop();
    },
  };
}

/**
 * The same tests on both databases, each with one platform for the whole block:
 *
 *     describePlatform("workspaces", (the) => {
 *       test("…", async () => {
 *         await the().as("tenant-staff").get("/v4/identity/me");
 *
 * With `alsoInThread` once more on SQLite, over connections of a reading thread.
 */
export function describePlatform(
  name: string,
  body: (the: () => TestPlatform, isInThread: boolean, engine: DatabaseEngine) => void,
  {
    alsoInThread = false,
    ...options
  }: Omit<TestPlatformOptions, "database" | "isInThread"> & {
    readonly alsoInThread?: boolean;
  } = {},
): void {
  const run = (engine: DatabaseEngine, isInThread: boolean): void => {
    let running: TestPlatform | undefined;
    beforeAll(async () => {
      running = await openTestPlatform(engine, { ...options, isInThread });
    });
    afterAll(async () => {
      await running?.close();
      // The module of a test file stays loaded, and would keep the memory of its platform.
      running = undefined;
    });
    body(
      () => {
        if (running === undefined)
          throw new Error("the platform is not there before the tests run");
        return running;
      },
      isInThread,
      engine,
    );
  };
  describeEachDatabase(name, ({ engine }) => run(engine, false));
  if (alsoInThread) describe(`${name} in a thread`, () => run("sqlite", true));
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
    call,
    fetch: send,
  };
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

function jsonOf(headers: Headers, text: string): unknown {
  const type = headers.get("content-type") ?? "";
  return /^application\/(?:problem\+|geo\+|schema\+)?json/.test(type)
    ? JSON.parse(text)
    : undefined;
}
