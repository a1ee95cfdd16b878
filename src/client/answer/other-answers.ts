import { catalogError, type CatalogError } from "#contract/errors.ts";
import { plainRoute, type RouteName } from "#contract/plain/route-table.ts";
import type { Form } from "#contract/plain/shape.ts";
import { isTooDeep, nestsTooDeep } from "#lib/json/scan.ts";
import { isJsonObject, membersOf, parsedJson } from "#lib/json/value.ts";
import { shortText } from "#lib/text/short.ts";
import { readPart } from "./answer.ts";
import type { LooseInput } from "../request/encode.ts";
import type { Outgoing } from "../transport/outgoing.ts";
import { hasMember, readAnswer, readUnstated, saysAnything, type Reading } from "./reading.ts";
import { clientRoute, type AnswerPart, type ClientRoute } from "../route.ts";
import { unknownOutcome } from "../transport/unreachable.ts";

type Members = Readonly<Record<string, unknown>>;

/** The part of a route's answer that a response should have. */
export interface Expected {
  readonly route: ClientRoute;
  readonly name: AnswerPart;
  readonly outgoing: Outgoing;
}

/**
 * The answer of another deployment to a JSON or empty route. Every answer that differs from the
 * contract takes this way, so the rule for a 2xx has this one place: a body that reports a failure
 * is one; a question needs its answer; a write is done, whatever its body leaves out. The written
 * thing is then read with `call`, or else has the members that were sent. Throws E203.
 */
export async function otherAnswer(
  route: ClientRoute,
  { input, outgoing, call }: AnsweredCall,
  text: string,
  response: Response,
): Promise<unknown> {
  const { status } = response;
  const form = route.reply.type === "json" ? route.formOf("reply") : undefined;
  const body = outgoing.asks ? parsedJson(text) : receiptOf(text, response, outgoing);
  refuseFailure(form, body, status, outgoing);
  if (form === undefined) return undefined;
  if (outgoing.asks) {
    const reading = await readBody({ route, name: "reply", outgoing }, text, response);
    return fittingValue(reading, text, status, outgoing);
  }
  const says = saysAnything(form, body);
  const reading = readAnswer(form, body ?? {});
  if (reading.fits && (says || !isRead(route))) return noted(reading.value, says);
  const told = body === undefined && text !== "" ? readAnswer(form, { text }) : reading;
  if (told.fits) return told.value;
  const written = await readBack(route, input, body, call);
  if (written !== undefined) return written;
  const value = readUnstated(form, body, sentBy(route, input));
  if (value !== undefined) return noted(value, false);
  return fittingValue(told, text, status, outgoing);
}

/** A call that was answered. */
interface AnsweredCall {
  readonly input: LooseInput;
  readonly outgoing: Outgoing;
  readonly call: Call;
}

/** Reads a response's body, which may be empty or plain text: the specification names few. */
export async function readBody(
  { route, name, outgoing }: Expected,
  text: string,
  { status, headers }: Pick<Response, "status" | "headers">,
): Promise<Reading> {
  // The status alone answers whether a platform is well.
  const needsBody = outgoing.asks && (outgoing.signedIn || status !== 204);
  if (text === "" && !needsBody) return await readNothing(route, name);
  const isText = /^text\/plain\b/i.test(headers.get("content-type") ?? "");
  if (isText && parsedJson(text) === undefined) {
    // A text that no member of the answer needs does not prove that a write was done.
    const proves = outgoing.asks || !(await readPart(route, name, {})).fits;
    if (proves) return await readPart(route, name, { text });
  }
  return await readPart(route, name, jsonOf(text, status, outgoing));
}

export function fittingValue(
  reading: Reading,
  text: string,
  status: number,
  outgoing: Outgoing,
): unknown {
  if (reading.fits) return reading.value;
  const place = reading.path.map((step) => `/${step}`).join("");
  const details =
    text === ""
      ? "the response has no body"
      : `the response does not match the interface at #${place.slice(0, 200)}`;
  const { pathname } = new URL(outgoing.url, "http://localhost");
  const sent = `sent, outcome not confirmed: ${details} (${outgoing.method} ${pathname})`;
  throw unreadable(outgoing.asks ? details : sent, status, outgoing);
}

function jsonOf(text: string, status: number, outgoing: Outgoing): unknown {
  const value = parsedJson(text);
  if (value !== undefined) return value;
  const why = isTooDeep(text) ? nestsTooDeep : "is not JSON";
  throw unreadable(`the response ${why}`, status, outgoing);
}

/**
 * The JSON of a write's answer; undefined for a plain text, e.g. the result of its handler. Another
 * text, e.g. a web page, comes from another server.
 */
function receiptOf(text: string, { status, headers }: Response, outgoing: Outgoing): unknown {
  const isText = /^text\/plain\b/i.test(headers.get("content-type") ?? "");
  if (text.trim() === "") return undefined;
  const value =
    isText && parsedJson(text) === undefined ? undefined : jsonOf(text, status, outgoing);
  if (value !== false && typeof value !== "number") return value ?? undefined;
  throw unreadable("the response is not a receipt", status, outgoing);
}

const successNames = ["ok", "success", "succeeded", "deleted", "complete"];
const failureNames = ["error", "errors", "failed", "failures"];

/**
 * Refuses a success whose body reports a failure. Members that the contract has are the caller's,
 * and an answer to a question may be about a failure.
 */
function refuseFailure(
  form: Form | undefined,
  body: unknown,
  status: number,
  outgoing: Outgoing,
): void {
  if (outgoing.asks && (form === undefined || saysAnything(form, body))) return;
  const given = [...(membersOf(body) ?? [])];
  // A diagnosis reports the state of parts, which its reader names.
  if (outgoing.asks && given.some(([, value]) => isParts(value))) return;
  const members = given.filter(([name]) => !hasMember(form, name));
  const denied = members.find(
    ([name, value]) =>
      (successNames.includes(name) && (value === false || value === 0)) ||
      (failureNames.includes(name) && isFailure(value)),
  );
  if (denied === undefined) return;
  const [name, value] = denied;
  const words = shortText(`${JSON.stringify(name)}: ${JSON.stringify(value)}`, 300);
  throw unreadable(`the response has ${words}`, status, outgoing);
}

const isParts = (value: unknown): boolean => isJsonObject(value) || Array.isArray(value);

/** E.g. `"errors": []`, `"error": null` and `"failed": 0` report none. */
function isFailure(value: unknown): boolean {
  const isEmpty = value === null || value === false || value === 0 || value === "";
  return !isEmpty && !(Array.isArray(value) && value.length === 0);
}

/** E203 for a successful response that can't be read; the request may have had its effect. */
export function unreadable(details: string, status: number, outgoing: Outgoing): CatalogError {
  return catalogError("E203", { details }, { status, hint: unknownOutcome(outgoing) });
}

const silent = new WeakSet<object>();

/** Notes the value of an answer that says nothing of what the contract names. */
function noted<Value>(value: Value, says: boolean): Value {
  if (!says && isJsonObject(value)) silent.add(value);
  return value;
}

/** The reading of a response without a body, of which only the status reports success. */
async function readNothing(route: ClientRoute, name: AnswerPart): Promise<Reading> {
  const reading = await readPart(route, name, {});
  return reading.fits ? { fits: true, value: noted(reading.value, false) } : reading;
}

/** True if the response to a write did not say what was written: only its status reports it. */
export function isUnstated(answer: object): boolean {
  return silent.has(answer);
}

/** Calls a route; `callRoute` with its settings. */
export type Call = (route: ClientRoute, input: LooseInput) => Promise<unknown>;

/** Writes whose answer is the written record: one without it is completed by a read. */
const recordWrites = [
  "resources.create",
  "resources.update",
  "resources.patch",
  "resources.executeAction",
] as const;
const typeWrites = ["objectTypes.create", "objectTypes.update"] as const;

function isOneOf(writes: readonly RouteName[], { method, path }: ClientRoute): boolean {
  return writes.map(plainRoute).some((one) => one.method === method && one.path === path);
}

/** True if the written thing can be read. */
function isRead(route: ClientRoute): boolean {
  return isOneOf([...recordWrites, ...typeWrites], route);
}

/** The members of the request, under the names that an answer has. */
function sentBy(route: ClientRoute, { params, body }: LooseInput): Members {
  const place = isJsonObject(params) ? params : {};
  if (isOneOf(["resources.create"], route)) return { data: body };
  return { ...place, ...(isJsonObject(body) ? body : {}) };
}

const longestScan = 100;

/**
 * The written thing, for a successful write whose body does not have it: the specification does not
 * name these bodies, so a deployment may send none, or only the ID. Undefined if it can't be read.
 */
async function readBack(
  route: ClientRoute,
  { params, body, query: _query, headers: _headers, ...options }: LooseInput,
  answer: unknown,
  call: Call,
): Promise<unknown> {
  const given = new Map<string, unknown>(Object.entries(params ?? {}));
  const id = given.get("id") ?? given.get("objectTypeId") ?? idIn(answer);
  if (isOneOf(recordWrites, route)) {
    if (typeof id !== "string" || id === "") return undefined;
    const { action: _action, ...place } = { ...params, id } as Record<string, unknown>;
    return await call(clientRoute("resources", "get"), { ...options, params: place });
  }
  if (!isOneOf(typeWrites, route)) return undefined;
  const slug = isJsonObject(body) && id === undefined ? body["slug"] : undefined;
  for (let page = 1; page <= longestScan; page += 1) {
    const input = { ...options, query: { page, limit: 500 } };
    const list = await call(clientRoute("objectTypes", "list"), input);
    const items: unknown = isJsonObject(list) ? list["items"] : undefined;
    if (!Array.isArray(items) || items.length === 0) return undefined;
    const found: unknown = items.find(
      (item: unknown) =>
        idIn(item) === id || (slug !== undefined && isJsonObject(item) && item["slug"] === slug),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

function idIn(value: unknown): string | undefined {
  const id = isJsonObject(value) ? value["id"] : undefined;
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}
