import { Refusal, type Fault } from "#contract/problems.ts";
import { batchCreation, isListOfRecords } from "#contract/resources/batch.ts";
import { jsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { isStorable, notStorable } from "../kit/storable-text.ts";
import type { Exchange } from "./exchange.ts";
import { faultAt, invalid, validated } from "../kit/faults.ts";
import { TickShare } from "../kit/turns/tick-share.ts";
import type { LargeBodies } from "./body/large-bodies.ts";
import { jsonParsing, parseJson, readBytes, requireJson } from "./body/read-body.ts";

export function validateParams(exchange: Exchange): void {
  const { definition, parameterNames, paramChecks } = exchange.route;
  if (definition.params === undefined) return;
  let isChecked = paramChecks !== undefined;
  const values: Record<string, string> = {};
  for (let index = 0; index < parameterNames.length; index += 1) {
    const name = parameterNames[index] ?? "";
    const value = exchange.pathValues[index] ?? "";
    if (!isStorable(value)) throw invalid([faultAt("path", [name], notStorable)]);
    values[name] = value;
    isChecked &&= paramChecks?.[index]?.(value) === true;
  }
  exchange.params = isChecked ? values : validated(definition.params, values, "path");
}

/** Validates the query by the route's schema; refuses unknown and repeated names. */
export function validateQuery(exchange: Exchange): void {
  const { definition, queryNames, seenQueries } = exchange.route;
  const { search } = exchange;
  if (search === "" && definition.query === undefined) return;
  exchange.query = seenQueries.get(search);
  if (exchange.query !== undefined) return;
  const values = parseQuery(search, (name) => queryNames.has(name));
  if (definition.query === undefined) return;
  const query: object = Object.freeze(validated(definition.query, values, "query"));
  exchange.query = query;
  // Most callers repeat their queries, and the same text has the same result.
  if (search.length > longestSeenQuery) return;
  seenQueries.set(search, query);
}

const longestSeenQuery = 256;

function parseQuery(search: string, isKnown: (name: string) => boolean): Record<string, string> {
  const values = new Map<string, string>();
  const faults: Fault[] = [];
  for (const pair of search.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? "" : decoded(pair.slice(equals + 1));
    if (!isKnown(name)) faults.push(faultAt("query", [name], "is not a parameter of this route"));
    else if (values.has(name)) faults.push(faultAt("query", [name], "is given twice"));
    else if (!isStorable(value)) faults.push(faultAt("query", [name], notStorable));
    else values.set(name, value);
  }
  if (faults.length > 0) throw invalid(faults);
  return Object.fromEntries(values);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.includes("+") ? text.replaceAll("+", " ") : text);
  } catch {
    throw new Refusal("malformed-request", {
      detail: "Cannot read the query: it is not percent-encoded UTF-8",
    });
  }
}

export interface BodyOptions {
  readonly limitBytes: number;
  readonly isKept: boolean;
  readonly turns: LargeBodies;
}

/** Validates a JSON body by the route's schema. The handler reads other bodies itself. */
export function validateBody(
  exchange: Exchange,
  options: BodyOptions,
): Promise<unknown> | undefined {
  const { body } = exchange.route.definition;
  if (body === undefined) return undefined;
  if (body.type === "json") return options.turns.read(exchange, () => readJson(exchange, options));
  if (body.type === "multipart") {
    const type = exchange.headers.get("content-type") ?? "";
    if (!/^multipart\/form-data\s*;/i.test(type)) {
      throw new Refusal("unsupported-media-type", {
        detail: "Cannot read this body: expected Content-Type multipart/form-data with a boundary",
        headers: { accept: "multipart/form-data" },
      });
    }
  }
  return undefined;
}

/** Parsing and checking a larger body takes a part of a tick. */
const ownTickBytes = 32 * 1024;

/** Resolves to the body's bytes. */
async function readJson(exchange: Exchange, { limitBytes, isKept }: BodyOptions): Promise<number> {
  const { body } = exchange.route.definition;
  if (body?.type !== "json") return 0;
  const isOmitted = body.isOptional === true && isBodyless(exchange.request);
  if (!isOmitted) requireJson(exchange.request, body.mediaTypes);
  const bytes = await readBytes(exchange.request, limitBytes);
  if (isKept) exchange.bodyBytes = bytes;
  if (exchange.headers.has("idempotency-key")) exchange.bodyDigest = digest(bytes);
  const isLong = bytes.byteLength > ownTickBytes;
  const value = isOmitted ? {} : isLong ? await parsedInParts(bytes, exchange) : parseJson(bytes);
  exchange.body = isOfRecords(body.schema, value) ? value : validated(body.schema, value, "body");
  return bytes.byteLength;
}

/** True for records to create: the Object Type checks them, and their schema would only copy. */
function isOfRecords(schema: unknown, value: unknown): boolean {
  if (schema === jsonObject) return isJsonObject(value);
  return schema === batchCreation && isListOfRecords(value);
}

async function parsedInParts(bytes: Uint8Array, exchange: Exchange): Promise<unknown> {
  const ticks = new TickShare(exchange.workspace?.id ?? exchange.network);
  await ticks.begin();
  const value = await ticks.run(jsonParsing(bytes));
  await ticks.yieldWhenUsed();
  return value;
}

function isBodyless({ body, headers }: Request): boolean {
  return body === null || headers.get("content-length") === "0";
}

function digest(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("base64url");
}
