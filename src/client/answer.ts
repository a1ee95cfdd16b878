import type * as z from "zod";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import type { Domain, Routes } from "#contract/index.ts";
import type { ReplyAlternative, ReplyBody, ReplyEvent, RouteDefinition } from "#contract/route.ts";
import { isTooDeep, nestsTooDeep } from "#lib/json-depth.ts";
import { isJsonObject, membersOf, parsedJson } from "#lib/json-value.ts";
import type { Outgoing } from "./outgoing.ts";
import { PlainValues, unclear } from "./plain-value.ts";
import type { Reading } from "./reading.ts";
import { clientRoute, type AnswerPart, type ClientRoute } from "./route.ts";
import { unknownOutcome } from "./unreachable.ts";

/**
 * Reads an answer of any deployment as the contract's type; see `readAnswer`. Only an answer that
 * differs from the contract needs the schema.
 */
export async function readPart(
  route: ClientRoute,
  name: AnswerPart,
  answer: unknown,
): Promise<Reading<unknown>> {
  const value = new PlainValues(route.shapes, "received").read(placeOf(route, name), answer);
  if (value !== unclear) return { fits: true, value };
  const [{ readAnswer }, definition] = await Promise.all([
    import("./reading.ts"),
    route.definition(),
  ]);
  const schema = schemaOf(definition, name);
  if (schema === undefined) throw new TypeError(`${route.path} has no ${name}`);
  return readAnswer(schema, answer);
}

function placeOf(route: ClientRoute, name: AnswerPart): number | undefined {
  if (name !== "reply") return route[name];
  return "schema" in route.reply ? route.reply.schema : undefined;
}

function schemaOf(definition: RouteDefinition, name: AnswerPart): z.ZodType | undefined {
  if (name !== "reply") return definition[name];
  return "schema" in definition.reply ? definition.reply.schema : undefined;
}

interface AnswerTypes<Definition> extends Record<AnswerPart, unknown> {
  readonly reply: ReplyBody<Definition>;
  readonly events: ReplyEvent<Definition>;
  readonly alternative: ReplyAlternative<Definition>;
}

/** The answer as a part of a route's answers; undefined if it does not fit. */
export async function answerOf<
  Name extends Domain,
  Key extends keyof Routes[Name] & string,
  PartName extends AnswerPart,
>(
  domain: Name,
  name: Key,
  part: PartName,
  answer: unknown,
): Promise<AnswerTypes<Routes[Name][Key]>[PartName] | undefined>;
export async function answerOf(
  domain: Domain,
  name: string,
  part: AnswerPart,
  answer: unknown,
): Promise<unknown> {
  const reading = await readPart(clientRoute(domain, name), part, answer);
  return reading.fits ? reading.value : undefined;
}

/** The part of a route's answer that a response should have. */
export interface Expected {
  readonly route: ClientRoute;
  readonly name: AnswerPart;
  readonly outgoing: Outgoing;
}

/** Reads a response's body; the specification names few of them, so it may be empty or plain text. */
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
export function isSettled(text: string): boolean {
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
export function checkReceipt(text: string, status: number, outgoing: Outgoing): void {
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
