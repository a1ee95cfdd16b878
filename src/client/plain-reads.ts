import { isJsonObject } from "#lib/json-value.ts";
import { baseUrlText } from "#lib/base-url.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { requestHeaders, type CallDefaults, type LooseInput } from "./encode.ts";
import type { Outgoing } from "./outgoing.ts";

/**
 * Reads of records whose request and answer are in the plainest form. They need no schema, which
 * takes a command longer to load than the request takes. Everything else goes the ordinary way.
 */
export interface PlainRead {
  readonly outgoing: Outgoing;
  /** Whether the answer is what the schema would give. */
  fits(answer: unknown): boolean;
}

type MakePlain = (input: LooseInput, defaults: CallDefaults) => PlainRead | undefined;

const accept = "application/json, application/problem+json";
const listPath = "/v4/data/resources/{tenantId}/{objectType}";
const longestPage = 1_000_000;
const longestLimit = 500;

/** The reads that can be plain, each under the name of the client's call. */
export const plainReads: Readonly<Record<string, MakePlain>> = {
  "resources.get": (input, defaults) => {
    const place = placeOf(input, defaults, ["objectType", "id"]);
    const id = place?.params["id"];
    if (place === undefined || !isId(id) || hasAny(input.query)) return undefined;
    return {
      outgoing: read(place, `${listPath}/{id}`, `/${id}`, input, defaults),
      fits: isPlainRecord,
    };
  },
  "resources.list": (input, defaults) => {
    const place = placeOf(input, defaults, ["objectType"]);
    const query = plainQuery(input.query);
    if (place === undefined || query === undefined) return undefined;
    return { outgoing: read(place, listPath, query, input, defaults), fits: isPlainList };
  },
};

interface Place {
  readonly workspace: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The workspace and the parameters of a call that has nothing else than a query and a signal. */
function placeOf(
  input: LooseInput,
  { tenantId }: CallDefaults,
  names: readonly string[],
): Place | undefined {
  const { params = {}, query: _query, signal: _signal, ...others } = input;
  if (hasAny(others) || tenantId === undefined || canonicalUuid(tenantId) !== tenantId) {
    return undefined;
  }
  const given: Readonly<Record<string, unknown>> = { ...params };
  const type = given["objectType"];
  if (typeof type !== "string" || !/^[a-z][a-z0-9-]{0,99}$/.test(type)) return undefined;
  if (Object.keys(given).some((name) => !names.includes(name))) return undefined;
  return { workspace: tenantId, params: given };
}

function read(
  { workspace, params }: Place,
  route: string,
  end: string,
  input: LooseInput,
  defaults: CallDefaults,
): Outgoing {
  const path = `/v4/data/resources/${workspace}/${String(params["objectType"])}${end}`;
  return {
    method: "GET",
    url: `${baseUrlText(defaults.baseUrl)}${path}`,
    route,
    asks: true,
    many: false,
    signedIn: true,
    headers: requestHeaders(input, defaults, workspace, accept),
  };
}

function hasAny(members: object | undefined): boolean {
  return Object.values(members ?? {}).some((value) => value !== undefined);
}

function isId(value: unknown): value is string {
  return typeof value === "string" && canonicalUuid(value) === value;
}

/** The query as text; undefined for one whose members a schema must check. */
function plainQuery(given: object | undefined): string | undefined {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === undefined) continue;
    const isPlain =
      (name === "page" && isWhole(value, longestPage)) ||
      (name === "limit" && isWhole(value, longestLimit)) ||
      (name === "sort" && typeof value === "string" && /^-?[a-z_]{1,60}$/.test(value));
    if (!isPlain) return undefined;
    search.append(name, String(value));
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

function isWhole(value: unknown, most: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most;
}

const isText = (value: unknown): boolean => typeof value === "string";
const isTime = (value: unknown): boolean =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value);

type Check = (value: unknown) => boolean;

const recordMembers: Readonly<Record<string, Check>> = {
  id: isText,
  type: isText,
  version: isCount,
  data: isJsonObject,
  created_at: isTime,
  updated_at: isTime,
  created_by: isText,
  updated_by: isText,
};
const listMembers: Readonly<Record<string, Check>> = {
  items: (value) => Array.isArray(value) && value.every(isPlainRecord),
  page: isCount,
  limit: isCount,
  hasNextPage: (value) => typeof value === "boolean",
  nextCursor: (value) => value === null || isText(value),
};

/** Whether the value has just these members, and each is as it must be. */
function hasOnly(value: unknown, members: Readonly<Record<string, Check>>): boolean {
  if (!isJsonObject(value)) return false;
  const given = Object.entries(value);
  return (
    given.length === Object.keys(members).length &&
    given.every(
      ([name, member]) => Object.hasOwn(members, name) && members[name]?.(member) === true,
    )
  );
}

function isPlainRecord(value: unknown): boolean {
  return hasOnly(value, recordMembers);
}

function isPlainList(value: unknown): boolean {
  return hasOnly(value, listMembers);
}
