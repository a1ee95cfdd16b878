import type * as zod from "zod";
import type { Tone } from "#cli/output/output.ts";
import { namesMissing, type CatalogError } from "#contract/errors.ts";
import { maximumAnswerBytes } from "#contract/limits.ts";
import { given } from "#lib/given.ts";
import { BodyLateError, BodyTooLargeError, readBoundedText } from "#lib/network/bounded-body.ts";
import { isJsonObject, parsedJson } from "#lib/json/value.ts";

/** The text about one part of the interface at a deployment. */
export type PartState = "present" | "absent" | "not permitted" | "failing" | "not checked";

export interface Verdict {
  readonly state: PartState;
  /** HTTP status of the response, if there was one. */
  readonly status?: number;
  readonly detail?: string;
  readonly code?: string;
}

/** The schemas of a verdict's members, without its detail. */
export function verdictSchemas(z: typeof zod) {
  return {
    state: z.enum(["present", "absent", "not permitted", "failing", "not checked"]),
    code: z.string().optional(),
    status: z.int().optional(),
  };
}

export const stateSigns: Readonly<Record<PartState, readonly [sign: string, tone: Tone]>> = {
  present: ["✓", "good"],
  absent: ["–", "warning"],
  "not permitted": ["!", "warning"],
  failing: ["✗", "danger"],
  "not checked": ["·", "dim"],
};

/** A failure that says nothing about one part: no sign-in, or no platform. */
export function endsProbes({ code }: CatalogError): boolean {
  return /^E10\d$/.test(code) || code === "E201";
}

/** The verdict on a failed call: a route that does not exist is absent, not failing. */
export function verdictOf(error: CatalogError): Verdict {
  const { status, code } = error;
  const facts = { code, ...given({ status }) };
  if (status === 403) return { state: "not permitted", ...facts };
  if (isAbsent(error)) return { state: "absent", ...facts };
  const words = [error.message, error.hint].filter((part) => part !== undefined).join(". ");
  return { state: "failing", detail: words, ...facts };
}

/** 405 and 501, and a 404 unless its problem says that something else was not found. */
function isAbsent({ status, problem }: CatalogError): boolean {
  if (status === 405 || status === 501) return true;
  if (status !== 404) return false;
  return !namesMissing(isJsonObject(problem) ? problem["code"] : undefined);
}

/**
 * The kind of route that answers. A family's answer has the state of the family. A route of
 * `health` may say nothing, which is no `condition`.
 */
type Answering = "route" | "family" | "health" | "condition";

const bodyLimitMs = 15_000;

/** The next probe reports a call that the user has interrupted. */
function brokenBody(error: unknown): { readonly what: string } {
  if (error instanceof BodyTooLargeError) return { what: "an answer of more than 64 MiB" };
  if (error instanceof BodyLateError) return { what: "an answer that does not end" };
  return { what: "an answer that breaks off" };
}

/**
 * The verdict on an unread response. A page of HTML and an empty body are no answers of the
 * interface, and JSON is one only as an object or a list, of health also as a text. A text, or the
 * object of a family, must not say that something is down; parts of health are judged elsewhere.
 */
export async function responseVerdict(
  response: Response,
  of: Answering = "route",
): Promise<Verdict> {
  const { ok, status } = response;
  if (!ok) {
    const { errorFromResponse } = await import("#client/failures.ts");
    return verdictOf(await errorFromResponse(response));
  }
  const failing = (what: string): Verdict => ({
    state: "failing",
    status,
    detail: `HTTP ${status} with ${what}`,
  });
  const type = response.headers.get("content-type") ?? "";
  if (/^text\/html\b/i.test(type)) {
    await response.body?.cancel();
    return failing("a page of HTML");
  }
  const limits = { limitMs: bodyLimitMs };
  const text = await readBoundedText(response, maximumAnswerBytes, limits).catch(brokenBody);
  if (typeof text !== "string") return failing(text.what);
  if (text.trim() === "") {
    return of === "health" ? { state: "present", status } : failing("an empty body");
  }
  const isText = /^text\/plain\b/i.test(type);
  const value = parsedJson(text);
  if (isJsonObject(value) || Array.isArray(value)) {
    if (of === "condition") {
      const { statesCondition } = await import("#contract/platform/condition.ts");
      if (!statesCondition(value)) return failing("an answer that does not state the health");
    }
    const words = of === "family" ? await unwellWords(value) : "";
    return words === "" ? { state: "present", status } : failing(words);
  }
  const said = isText ? text : of !== "route" && typeof value === "string" ? value : undefined;
  if (said === undefined) return failing("no JSON object or list");
  const words = await unwellWords(said);
  return words === "" ? { state: "present", status } : failing(`the text "${words}"`);
}

/** The state in an answer's own words; "" where it says nothing of that kind. */
async function unwellWords(value: unknown): Promise<string> {
  const { unwellParts } = await import("#contract/platform/condition.ts");
  const own = isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([, member]) => typeof member !== "object"))
    : value;
  return unwellParts(typeof own === "string" ? own.trim() : own)
    .map(({ detail, word }) => detail ?? word)
    .join(", ");
}
