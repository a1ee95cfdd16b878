import type { Tone } from "#cli/output.ts";
import type { CatalogError } from "#contract/errors.ts";
import { isJsonObject } from "#lib/json-value.ts";

/** The words for one part of the interface at a deployment. */
export type PartState = "present" | "absent" | "not permitted" | "failing" | "not checked";

export interface Verdict {
  readonly state: PartState;
  /** HTTP status of the response, if there was one. */
  readonly status?: number;
  readonly detail?: string;
  readonly code?: string;
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
  const facts = { code, ...(status === undefined ? {} : { status }) };
  if (status === 403) return { state: "not permitted", ...facts };
  if (isAbsent(error)) return { state: "absent", ...facts };
  const words = [error.message, error.hint].filter((part) => part !== undefined).join(". ");
  return { state: "failing", detail: words, ...facts };
}

/** 405 and 501, and a 404 unless its problem says that something else was not found. */
function isAbsent({ status, problem }: CatalogError): boolean {
  if (status === 405 || status === 501) return true;
  if (status !== 404) return false;
  const code = isJsonObject(problem) ? problem["code"] : undefined;
  return typeof code !== "string" || code === "route-not-found";
}

/** The verdict on an unread response; a page of HTML is not an answer of the interface. */
export async function responseVerdict(response: Response): Promise<Verdict> {
  const { ok, status } = response;
  if (!ok) {
    const { errorFromResponse } = await import("#client/failures.ts");
    return verdictOf(await errorFromResponse(response));
  }
  await response.body?.cancel();
  const type = response.headers.get("content-type") ?? "";
  if (/^text\/html\b/i.test(type)) {
    return { state: "failing", status, detail: `HTTP ${status} with a page of HTML` };
  }
  return { state: "present", status };
}
