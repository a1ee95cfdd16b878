import { catalogError, type CatalogError } from "#contract/errors.ts";
import { plainRoute, type RouteName } from "#contract/plain/route-table.ts";
import { isTooDeep, nestsTooDeep } from "#lib/json/scan.ts";
import { isJsonObject, membersOf, parsedJson } from "#lib/json/value.ts";
import { readPart } from "./answer.ts";
import type { LooseInput } from "../request/encode.ts";
import type { Outgoing } from "../transport/outgoing.ts";
import type { Reading } from "./reading.ts";
import { clientRoute, type AnswerPart, type ClientRoute } from "../route.ts";
import { unknownOutcome } from "../transport/unreachable.ts";

/** The part of a route's answer that a response should have. */
export interface Expected {
  readonly route: ClientRoute;
  readonly name: AnswerPart;
  readonly outgoing: Outgoing;
}

/**
 * The answer of another deployment to a JSON or empty route: the specification names few bodies, so
 * one may be empty, plain text, or lack what was written, which `call` then reads. Throws E203 for
 * an answer that can't be read.
 */
export async function otherAnswer(
  route: ClientRoute,
  { input, outgoing, call }: AnsweredCall,
  text: string,
  response: Response,
): Promise<unknown> {
  const { status } = response;
  if (route.reply.type !== "json") {
    checkReceipt(text, status, outgoing);
    return undefined;
  }
  const reading = await readBody({ route, name: "reply", outgoing }, text, response);
  const written =
    !reading.fits && isSettled(text) ? await readBack(route, input, text, call) : undefined;
  return written ?? fittingValue(reading, text, status, outgoing);
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
): Promise<Reading<unknown>> {
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

/** Whether a write that is answered like this has settled: no body, or a JSON object. */
function isSettled(text: string): boolean {
  return text === "" || membersOf(parsedJson(text)) !== undefined;
}

export function fittingValue(
  reading: Reading<unknown>,
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
  throw unreadable(details, status, outgoing);
}

function jsonOf(text: string, status: number, outgoing: Outgoing): unknown {
  const value = parsedJson(text);
  if (value !== undefined) return value;
  const why = isTooDeep(text) ? nestsTooDeep : "is not JSON";
  throw unreadable(`the response ${why}`, status, outgoing);
}

/**
 * Checks the success of a route without a reply. A deployment may return a JSON receipt, or `null`
 * or a text as the result of its handler; other bodies, e.g. a web page, come from another server.
 */
function checkReceipt(text: string, status: number, outgoing: Outgoing): void {
  const value = text.trim() === "" ? undefined : jsonOf(text, status, outgoing);
  if (value === false || typeof value === "number") {
    throw unreadable("the response is not a receipt", status, outgoing);
  }
  const receipt = membersOf(value);
  const denied = ["success", "deleted", "complete"].find((name) => receipt?.get(name) === false);
  if (denied === undefined) return;
  throw unreadable(`the response has ${JSON.stringify(denied)}: false`, status, outgoing);
}

/** E203 for a successful response that can't be read; the request may have had its effect. */
export function unreadable(details: string, status: number, outgoing: Outgoing): CatalogError {
  return catalogError("E203", { details }, { status, hint: unknownOutcome(outgoing) });
}

const bodiless = new WeakSet<object>();

/** The reading of a response without a body, of which only the status reports success. */
async function readNothing(route: ClientRoute, name: AnswerPart): Promise<Reading<unknown>> {
  const reading = await readPart(route, name, {});
  if (reading.fits && isJsonObject(reading.value)) bodiless.add(reading.value);
  return reading;
}

export function hadNoBody(answer: object): boolean {
  return bodiless.has(answer);
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

const longestScan = 100;

/**
 * The written thing, for a successful write whose body does not have it: the specification does not
 * name these bodies, so a deployment may send none, or only the ID. Undefined if it can't be read.
 */
async function readBack(
  route: ClientRoute,
  { params, body: _body, query: _query, headers: _headers, ...options }: LooseInput,
  text: string,
  call: Call,
): Promise<unknown> {
  if (route.method === "GET") return undefined;
  const sent: unknown = parsedJson(text);
  const given = new Map<string, unknown>(Object.entries(params ?? {}));
  const id = given.get("id") ?? given.get("objectTypeId") ?? idIn(sent);
  if (typeof id !== "string" || id === "") return undefined;
  if (isOneOf(recordWrites, route)) {
    const { action: _action, ...place } = { ...params, id } as Record<string, unknown>;
    return await call(clientRoute("resources", "get"), { ...options, params: place });
  }
  if (!isOneOf(typeWrites, route)) return undefined;
  for (let page = 1; page <= longestScan; page += 1) {
    const input = { ...options, query: { page, limit: 500 } };
    const list = await call(clientRoute("objectTypes", "list"), input);
    const items: unknown = isJsonObject(list) ? list["items"] : undefined;
    if (!Array.isArray(items) || items.length === 0) return undefined;
    const found: unknown = items.find((item: unknown) => idIn(item) === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function idIn(value: unknown): string | undefined {
  const id = isJsonObject(value) ? value["id"] : undefined;
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}
