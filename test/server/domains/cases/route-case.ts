import type { ProblemCode } from "#contract/problems.ts";
import { roleIncludes, roles, type Role } from "#contract/access/roles.ts";
import type { RouteDefinition } from "#contract/route.ts";
import type { ApiCase } from "#test/support/api-cases.ts";
import { unknownId } from "../records/routes/ledger.ts";

/**
 * One route's requests and responses. The good request gives the other kinds of case: refused
 * roles, another workspace, missing objects. The results of `before` replace `{names}` in path,
 * headers and body.
 */
export interface RouteCases {
  /** Makes what the requests name; run before each. */
  readonly before?: ApiCase["before"];
  /** The first one is also what callers are refused, and what bad inputs change. */
  readonly good: readonly [GoodCase, ...GoodCase[]];
  readonly bad: readonly BadCase[];
  /** The role that the good request needs, where it is not the contract's (an action's own). */
  readonly needs?: Role;
  /** The caller of the good request, where the access is not a role. */
  readonly as?: Caller;
  /** Each caller's status, where the access is not a role or the workspace is not `tenant`. */
  readonly callers?: Readonly<Partial<Record<Caller, number | (Sent & { status: number })>>>;
  /**
   * Values of another workspace for parameters, where they are not `{foreignId}`; null where an
   * unknown value is not refused.
   */
  readonly foreign?: Readonly<Record<string, string | null>>;
  /** Parameters that may be any text, although they have the name of an id. */
  readonly texts?: readonly string[];
  /** A success is a stream without an end. */
  readonly isEndless?: true;
}

type Caller = NonNullable<ApiCase["as"]>;

/** Parts of a request; what a bad case leaves out is as in the good one. */
export interface Sent {
  /** Path parameters; the workspace is `{tenant}` where nothing else is given. */
  readonly params?: Readonly<Record<string, string>>;
  /** The query with its `?`. */
  readonly query?: string;
  /** An empty text leaves a field out. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly rawBody?: ApiCase["rawBody"];
}

export interface GoodCase extends Sent {
  readonly name: string;
  /** 200 where it says nothing else. */
  readonly status?: number;
  /** The least content of the response. */
  readonly answers?: object;
}

export interface BadCase extends Sent {
  readonly name: string;
  readonly pointers: readonly string[];
  /** 422 `validation-failed` where it says nothing else. */
  readonly status?: number;
  readonly code?: ProblemCode;
}

/** The kinds of case that every route has. */
export const kinds = ["good", "roles", "another workspace", "bad inputs", "retries"] as const;
export type Kind = (typeof kinds)[number];

/** A route's cases by kind, ready to run. */
export function casesOf(
  definition: RouteDefinition,
  wanted: RouteCases,
): Readonly<Record<Kind, readonly ApiCase[]>> {
  const needed = wanted.needs ?? neededRole(definition);
  const as = wanted.as ?? needed ?? "nobody";
  const build = (name: string, sent: Sent, as: Caller, expect: ApiCase["expect"]): ApiCase => ({
    ...requestOf(definition, {
      ...wanted.good[0],
      ...sent,
      params: { ...wanted.good[0].params, ...sent.params },
    }),
    name,
    as,
    expect,
    ...(wanted.before === undefined ? {} : { before: wanted.before }),
    ...(wanted.isEndless === undefined ? {} : { isEndless: wanted.isEndless }),
  });
  const [first] = wanted.good;
  const success = first.status ?? 200;
  return {
    good: wanted.good.map((good) =>
      build(good.name, good, as, {
        status: good.status ?? 200,
        ...(good.answers === undefined ? {} : { body: good.answers }),
      }),
    ),
    roles:
      wanted.callers !== undefined
        ? Object.entries(wanted.callers).map(([caller, given]) => {
            const { status, ...sent } = typeof given === "number" ? { status: given } : given;
            return build(`${caller} gets ${status}`, sent, caller as Caller, { status });
          })
        : needed === undefined
          ? []
          : [
              build("nobody", {}, "nobody", { status: 401, code: "unauthenticated" }),
              ...roles.map((role) =>
                roleIncludes(role, needed)
                  ? build(`${role} may`, {}, role, { status: success })
                  : build(`${role} may not`, {}, role, {
                      status: 403,
                      code: "permission-denied",
                      body: { requiredRole: needed, currentRole: role },
                    }),
              ),
            ],
    "another workspace":
      definition.workspace === "none" ? [] : absent(definition, wanted, as, build),
    retries: definition.idempotent === true ? retries(success, wanted, as, build) : [],
    "bad inputs": [
      ...malformedIds(definition, wanted, as, build),
      ...wanted.bad.map(({ name, pointers, status = 422, code, ...sent }) =>
        build(name, sent, as, {
          status,
          pointers,
          code: code ?? "validation-failed",
        }),
      ),
    ],
  };
}

type Build = (name: string, sent: Sent, as: Caller, expect: ApiCase["expect"]) => ApiCase;

/** The whole workspace to a stranger, and what the path names where that is another workspace's. */
function absent(
  definition: RouteDefinition,
  { foreign = {} }: RouteCases,
  as: Caller,
  build: Build,
): ApiCase[] {
  const notFound = { status: 404, code: "not-found", excludes: ["foreign"] } as const;
  const cases = [build("is not there for another workspace's admin", {}, "outsider", notFound)];
  for (const name of parametersOf(definition)) {
    if (foreign[name] === null) continue;
    const others: readonly (readonly [string, string])[] = isId(name)
      ? [
          [`another workspace's ${name}`, foreign[name] ?? "{foreignId}"],
          [`a ${name} that never was`, unknownId],
        ]
      : [[`a ${name} that is not there`, "no-such-thing"]];
    for (const [words, value] of others) {
      cases.push(build(`${words} is not found`, { params: { [name]: value } }, as, notFound));
    }
  }
  return cases;
}

/** Cases that send one `Idempotency-Key` twice. */
function retries(
  success: number,
  { good: [{ body, rawBody }] }: RouteCases,
  as: Caller,
  build: Build,
): ApiCase[] {
  const keyed = (name: string): ApiCase => {
    const { headers, ...wanted } = build(name, {}, as, { status: success });
    count += 1;
    return { ...wanted, headers: { ...headers, "idempotency-key": `case-${count}` } };
  };
  const again: ApiCase = {
    ...keyed("are answered as at first"),
    sentBefore: "as it is",
    expect: { status: success, headers: { "idempotency-replayed": "true" } },
  };
  if (body === undefined && rawBody === undefined) return [again];
  return [
    again,
    {
      ...keyed("with another body are refused"),
      sentBefore: "with another body",
      expect: { status: 422, code: "idempotency-key-reused" },
    },
  ];
}

let count = 0;

function malformedIds(
  definition: RouteDefinition,
  { texts = [] }: RouteCases,
  as: Caller,
  build: Build,
): ApiCase[] {
  return parametersOf(definition)
    .filter((name) => isId(name) && !texts.includes(name))
    .map((name) =>
      build(`a ${name} that is none`, { params: { [name]: "nonsense" } }, as, {
        status: 422,
        code: "validation-failed",
        pointers: [`#/path/${name}`],
      }),
    );
}

function isId(name: string): boolean {
  return name === "id" || name === "oid" || name.endsWith("Id");
}

function parametersOf({ path }: RouteDefinition): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = ""]) =>
    name === "tenantId" ? [] : [name],
  );
}

function neededRole({ access }: RouteDefinition): Role | undefined {
  return roles.find((role) => role === access);
}

function requestOf(
  definition: RouteDefinition,
  { params = {}, query = "", headers = {}, body, rawBody }: Sent,
): Pick<ApiCase, "method" | "path" | "headers" | "body" | "rawBody"> {
  const path = definition.path.replaceAll(
    /\{(\w+)\}/g,
    (_whole, name: string) => params[name] ?? (name === "tenantId" ? "{tenant}" : `{${name}}`),
  );
  const fields = Object.entries({
    ...(definition.workspace === "header" ? { "x-tenant-id": "{tenant}" } : {}),
    ...headers,
  }).filter(([, value]) => value !== "");
  return {
    method: definition.method,
    path: path + query,
    headers: Object.fromEntries(fields),
    ...(rawBody === undefined ? (body === undefined ? {} : { body }) : { rawBody }),
  };
}

/** Cases of routes, by `domain.name`. */
export type RouteTable = Readonly<Record<string, RouteCases>>;
