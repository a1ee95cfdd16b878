import { catalogError, type CatalogError } from "#contract/errors.ts";
import {
  draftUrl,
  regionRequired,
  supportDraftsPath,
  type DraftRequest,
} from "#contract/platform/support.ts";
import { readBoundedText } from "#lib/network/bounded-body.ts";
import type { FetchFunction } from "#lib/network/fetch-function.ts";
import { isJsonObject, parsedJson } from "#lib/json/value.ts";
import { isLoopbackHost } from "#lib/network/loopback.ts";
import { networkFetch } from "#lib/network/network-fetch.ts";
import { TimeLimit } from "#lib/time/time-limit.ts";
import { version } from "#lib/version.ts";
import { within } from "#lib/time/within.ts";
import type { Settings } from "#local/surface.ts";

const websiteVariable = "SVC_WEBSITE_URL";
/** Spec part 8; a failed request is not repeated. */
const draftLimitMs = 10_000;
const maximumAnswerBytes = 64 * 1024;

/**
 * The origin of the support website: `SVC_WEBSITE_URL`, else the platform's. The settings must not
 * come from a project. Throws E006 unless it is HTTPS, or HTTP on this machine.
 */
export function websiteOrigin(
  variables: Readonly<Record<string, string | undefined>>,
  settings: Settings,
): string {
  const given = variables[websiteVariable] ?? "";
  const isGiven = given !== "";
  const url = URL.parse(isGiven ? given : new URL(settings.baseUrl.value).origin);
  const isOrigin =
    url !== null &&
    url.pathname === "/" &&
    url.search === "" &&
    url.hash === "" &&
    !/[?#]/.test(given) &&
    url.username === "" &&
    url.password === "";
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(url.hostname));
  if (url !== null && isOrigin && isSafe) return url.origin;
  throw catalogError(
    "E006",
    {
      details: isGiven
        ? `${websiteVariable} is not the origin of a support website`
        : "the platform's address can't be the support website",
    },
    { hint: `Set ${websiteVariable} to an HTTPS origin; HTTP is only for this machine` },
  );
}

export type DraftOutcome =
  | { readonly status: "created"; readonly url: string; readonly expiresAt: string }
  | { readonly status: "region_required" | "signed_out" }
  | { readonly status: "failed"; readonly error: CatalogError };

interface DraftCall {
  readonly website: string;
  readonly token: string;
  readonly request: DraftRequest;
  readonly fetch: FetchFunction | undefined;
  readonly signal: AbortSignal;
}

/** Sends the report once. Its errors repeat nothing of the website's answer. */
export async function createDraft(call: DraftCall): Promise<DraftOutcome> {
  const limit = new TimeLimit(draftLimitMs, call.signal);
  try {
    const outcome = await within(draftLimitMs, answerOf(call, limit.signal), undefined);
    return outcome ?? failed("the support website did not answer within 10 seconds");
  } catch (error) {
    if (call.signal.aborted) throw error;
    if (limit.expired) return failed("the support website did not answer within 10 seconds");
    return failed("the support website can't be reached");
  } finally {
    limit.expire();
    limit.close();
  }
}

async function answerOf(call: DraftCall, signal: AbortSignal): Promise<DraftOutcome> {
  const send = call.fetch ?? networkFetch;
  const response = await send(
    new Request(`${call.website}${supportDraftsPath}`, {
      method: "POST",
      headers: {
        accept: "application/json",
        authorization: `Bearer ${call.token}`,
        "content-type": "application/json",
        "user-agent": `svc/${version}`,
      },
      body: JSON.stringify(call.request),
      // A redirect would carry the token and the report to another place.
      redirect: "manual",
      signal,
    }),
  );
  const text = await readBoundedText(response, maximumAnswerBytes, { truncate: true });
  return outcomeOf(call.website, response.status, parsedJson(text));
}

function outcomeOf(website: string, status: number, body: unknown): DraftOutcome {
  const members = isJsonObject(body) ? body : {};
  if (status === 401) return { status: "signed_out" };
  if (status === 400 && members["error"] === regionRequired) return { status: regionRequired };
  if (status >= 300 && status < 400) return failed("the support website redirects the request");
  if (status !== 200 && status !== 201) return failed(reasonOf(status), status);
  const { draftId, token, expiresAt } = members;
  const isReadable =
    isIdentifier(draftId) &&
    isIdentifier(token) &&
    typeof expiresAt === "string" &&
    !Number.isNaN(Date.parse(expiresAt));
  if (!isReadable) return failed("the support website sent an unreadable answer", status);
  const ends = new Date(expiresAt).toISOString();
  return { status: "created", url: draftUrl(website, draftId, token), expiresAt: ends };
}

function isIdentifier(value: unknown): value is string {
  return typeof value === "string" && /^[\w.~-]{1,512}$/.test(value);
}

function reasonOf(status: number): string {
  if (status === 403) return "the support website does not accept reports from this account";
  if (status === 404) return "the support website does not know the workspace, or has no drafts";
  if (status === 413) return "the report is too large for the support website";
  if (status === 429) return "the support website has too many of your drafts: try again later";
  if (status >= 500) return `the support website failed (HTTP ${status})`;
  return `the support website refused the report (HTTP ${status})`;
}

function failed(details: string, status?: number): DraftOutcome {
  return { status: "failed", error: catalogError("E203", { details }, { status }) };
}
