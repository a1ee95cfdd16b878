import { Refused, type Answer, type Json, type Page } from "../answers.ts";
import type { Dialect } from "../dialects.ts";
import type { State, StoredWorkspace } from "../state.ts";
import type { WireRequest } from "../wire.ts";

/** One request, with what its route needs. */
export interface Call extends WireRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly state: State;
  readonly dialect: Dialect;
}

/** A route as the specification writes it, with what answers it. */
export interface OtherRoute {
  readonly method: string;
  /** The path, with `{name}` for its parameters. */
  readonly path: string;
  /** Whether it needs no bearer token. */
  readonly open?: boolean;
  readonly answer: (call: Call) => Answer | Promise<Answer>;
}

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON body, whatever it is. */
export function jsonBody({ bytes, headers }: Call): unknown {
  if (!/^application\/json\b/i.test(headers.get("content-type") ?? "")) {
    throw new Refused(415, "send application/json");
  }
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new Refused(400, "the body is not JSON");
  }
}

/** The JSON object of the body. With `names` it may have no other members. */
export function objectBody(call: Call, names?: readonly string[]): Json {
  const body = call.bytes.length === 0 ? {} : jsonBody(call);
  if (!isJson(body)) throw new Refused(400, "the body is not an object");
  const stranger = names && Object.keys(body).find((name) => !names.includes(name));
  if (stranger !== undefined) throw new Refused(400, `${stranger} is not expected`);
  return body;
}

export function textOf(body: Json, name: string): string {
  const value = body[name];
  if (typeof value !== "string" || value === "") throw new Refused(400, `${name} is missing`);
  return value;
}

/** A value that must be one of these words. */
export function oneOf(words: readonly string[], value: unknown): string {
  const found = words.find((word) => word === value);
  if (found === undefined) throw new Refused(400, `expected one of ${words.join(", ")}`);
  return found;
}

export function param({ params }: Call, name: string): string {
  return params[name] ?? "";
}

/** The workspace of the path; the header, if there is one, must name the same one (spec 5.2). */
export function pathWorkspace(call: Call, name = "tenantId"): StoredWorkspace {
  const header = call.headers.get("x-tenant-id");
  const id = param(call, name);
  if (header !== null && header.toLowerCase() !== id.toLowerCase())
    throw new Refused(400, "X-Tenant-Id names another one");
  return knownWorkspace(call, id);
}

/** The workspace of `X-Tenant-Id`, for routes without one in their path. */
export function headerWorkspace(call: Call): StoredWorkspace {
  const id = call.headers.get("x-tenant-id");
  if (id === null) throw new Refused(400, "X-Tenant-Id is missing");
  return knownWorkspace(call, id);
}

export function knownWorkspace({ state }: Call, id: string): StoredWorkspace {
  const workspace = state.workspaces.get(id.toLowerCase());
  if (workspace === undefined) throw new Refused(404, `no workspace ${id}`);
  return workspace;
}

export function pageOf({ url }: Call): Page {
  const number = (name: string, fallback: number): number => {
    const text = url.searchParams.get(name);
    if (text === null) return fallback;
    if (!/^\d{1,6}$/.test(text) || text === "0") throw new Refused(400, `${name} is no number`);
    return Number(text);
  };
  const cursor = url.searchParams.get("cursor") ?? undefined;
  if (cursor !== undefined && !/^@\d+$/.test(cursor)) throw new Refused(400, "unknown cursor");
  return { page: number("page", 1), limit: number("limit", 20), cursor };
}

/** A time in the dialect's form; nothing where optional members are left out. */
export function timesOf(dialect: Dialect, at: number): Json {
  if (dialect.optional === "missing") return {};
  if (dialect.optional === "null") return { created_at: null, updated_at: null };
  return { created_at: timeOf(dialect, at), updated_at: timeOf(dialect, at) };
}

function timeOf({ times }: Dialect, at: number): unknown {
  const iso = new Date(at).toISOString();
  if (times === "iso") return iso;
  return times === "epoch" ? at : iso.replace(/\.\d+Z$/, "+00:00");
}

/** Members that a deployment may leave out or send as null. */
export function optional({ optional: choice }: Dialect, members: Json): Json {
  if (choice === "sent") return members;
  if (choice === "missing") return {};
  return Object.fromEntries(Object.keys(members).map((name) => [name, null]));
}
