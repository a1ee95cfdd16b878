import { expect, test } from "vitest";
import type { ProblemCode } from "#contract/problems.ts";
import { checked } from "./contract-check.ts";
import {
  field,
  type Answered,
  type Caller,
  type CallOptions,
  type TestPlatform,
  type TestUser,
} from "./platform.ts";

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
  /** A success is a stream without an end, which is left at once. */
  readonly isEndless?: true;
  readonly expect: {
    readonly status: number;
    readonly code?: ProblemCode;
    /** Where the problem points, in order. */
    readonly pointers?: readonly string[];
    /** Members that the body must have (`toMatchObject`). */
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

/** Requests of the admin of another workspace, for whom this one does not exist. */
export function forStrangers(cases: readonly ApiCase[]): ApiCase[] {
  const notFound = { status: 404, code: "not-found" } as const;
  return refusedTo("outsider", "a stranger", cases, notFound);
}

/** The builder's requests, sent by staff, whose role is too low. */
export function forStaff(cases: readonly ApiCase[]): ApiCase[] {
  const builders = cases.filter(({ as }) => as === "tenant-builder");
  const denied = { status: 403, code: "permission-denied" } as const;
  return refusedTo("tenant-staff", "staff", builders, denied);
}

function refusedTo(
  as: TestUser,
  words: string,
  cases: readonly ApiCase[],
  answer: ApiCase["expect"],
): ApiCase[] {
  return cases.map(({ after: _after, ...wanted }) => ({
    ...wanted,
    name: `to ${words}: ${wanted.name}`,
    as,
    expect: answer,
  }));
}

/** Bodies that a route refuses with 422: the name of each case, the body and the pointers. */
export function faultyBodies(
  route: Pick<ApiCase, "as" | "path">,
  cases: readonly (readonly [name: string, body: object, ...pointers: string[]])[],
): ApiCase[] {
  return cases.map(([name, body, ...pointers]) => ({
    ...route,
    name,
    method: "POST",
    body,
    expect: { status: 422, pointers },
  }));
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
  const caller = platform.as(wanted.as ?? "tenant-admin");
  return wanted.isEndless === true
    ? leftStream(caller, method, path, options)
    : caller.call(method, path, options);
}

/** A refusal is read; a stream has no text. */
async function leftStream(caller: Caller, ...sent: Parameters<Caller["call"]>): Promise<Answered> {
  const response = await caller.fetch(...sent);
  if (response.status !== 200) {
    const text = await response.text();
    const { status, headers } = response;
    const [method, path] = sent;
    return checked(method, path, { status, headers, text, json: JSON.parse(text) as unknown });
  }
  await response.body?.cancel();
  return { status: response.status, headers: response.headers, text: "", json: undefined };
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
