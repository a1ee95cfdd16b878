import * as z from "zod";
import { Refusal } from "#contract/problems.ts";
import {
  maximumBundleBytes,
  organisationLocations,
  regionRequired,
  supportDraftsPath,
  supportPath,
} from "#contract/platform/support.ts";
import { isJsonObject, parsedJson } from "#lib/json/value.ts";
import { uuid } from "#contract/values.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import { parseJson, readBytes, requireJson } from "../../http/body/read-body.ts";
import type { Exchange } from "../../http/exchange.ts";
import { roleWithinApp } from "../../work/held-role.ts";
import { unauthenticated } from "../../http/pipeline-refusals.ts";
import type { AccessPort, TokenPort } from "../../work/ports.ts";
import { RateLimiter } from "../../http/rates/rate-limiter.ts";
import type { RequestCounts } from "../../kit/turns/request-counts.ts";
import { bearerToken } from "../../http/request-headers.ts";
import type { Limits } from "../../kit/limits.ts";
import type { SupportDrafts } from "./service.ts";
import { createHash } from "node:crypto";
import { cardStyle, htmlPage } from "#lib/text/html-page.ts";
import { html, Html } from "#lib/text/html.ts";

// JSON text inside JSON: each quote and line end takes a second byte.
const maximumBodyBytes = 3 * maximumBundleBytes;

const draftBody = z.object({
  bundle: z.string().min(2),
  bundleDigest: z.string().regex(/^[0-9a-f]{64}$/),
  workspaceId: uuid.optional(),
  organisationLocation: z.enum(organisationLocations).optional(),
});

const openBody = z.object({ token: z.string().min(1).max(512) });

/** The website's part of `svc support`, outside `/v4`: drafts and their page. */
export class SupportPages {
  readonly #rates: RateLimiter;

  constructor(
    private readonly parts: {
      readonly drafts: SupportDrafts;
      readonly tokens: TokenPort;
      readonly access: AccessPort;
      readonly counts: RequestCounts;
      readonly limits: Limits;
      readonly now: () => Date;
    },
  ) {
    this.#rates = new RateLimiter({
      name: "support",
      counts: parts.counts,
      requests: parts.limits.signInRequests,
      windowSeconds: parts.limits.signInWindowSeconds,
      now: () => parts.now().getTime(),
    });
  }

  /** The response to a request at or below `/support`; undefined for every other path. */
  answer(exchange: Exchange): Promise<Response> | undefined {
    const { path } = exchange;
    if (path !== supportPath && !path.startsWith(`${supportPath}/`)) return undefined;
    return this.#answer(exchange, path);
  }

  async #answer(exchange: Exchange, path: string): Promise<Response> {
    if (path === supportPath) {
      requireMethod(exchange, "GET");
      return supportPage(new URLSearchParams(exchange.search).get("chat") === "open");
    }
    const id = new RegExp(`^${supportDraftsPath}/([^/]{1,128})/open$`).exec(path)?.[1];
    if (path !== supportDraftsPath && id === undefined) throw new Refusal("route-not-found");
    requireMethod(exchange, "POST");
    await this.#rates.take(exchange.network, exchange.responseFields);
    return id === undefined ? this.#create(exchange) : this.#open(exchange, id);
  }

  async #create(exchange: Exchange): Promise<Response> {
    const token = bearerToken(exchange);
    if (token === undefined) throw unauthenticated();
    const principal = await this.parts.tokens.verify(token);
    const body = await readBody(exchange, draftBody);
    requireBundle(body.bundle, body.bundleDigest);
    const { workspaceId, organisationLocation } = body;
    if (workspaceId !== undefined) {
      const held = await roleWithinApp(principal, workspaceId, this.parts.access);
      if (held === undefined) throw new Refusal("not-found");
    } else if (principal.appWorkspaceId !== undefined) {
      throw new Refusal("permission-denied", {
        detail: "Tokens of an app make drafts in the app's workspaces only: give workspaceId",
      });
    } else if (organisationLocation === undefined) {
      return json({ error: regionRequired }, 400);
    }
    const { drafts } = this.parts;
    const draft = { ...body, oid: principal.oid, workspaceId, organisationLocation };
    return json(await drafts.create(exchange.work, draft), 201);
  }

  async #open(exchange: Exchange, id: string): Promise<Response> {
    const { token } = await readBody(exchange, openBody);
    const bundle = await this.parts.drafts.open(exchange.work, id, token);
    return json({ report: parsedJson(bundle) }, 200);
  }
}

function requireMethod(exchange: Exchange, method: "GET" | "POST"): void {
  const asked = exchange.method === "HEAD" ? "GET" : exchange.method;
  if (asked === method) return;
  throw new Refusal("method-not-allowed", { headers: { allow: method } });
}

async function readBody<Body>(exchange: Exchange, schema: z.ZodType<Body>): Promise<Body> {
  requireJson(exchange.request);
  const value = parseJson(await readBytes(exchange.request, maximumBodyBytes));
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path ?? [];
  const place = path.map((part) => (typeof part === "symbol" ? "" : part));
  throw invalid([faultAt("body", place, "is missing or not valid")]);
}

function requireBundle(bundle: string, digest: string): void {
  const isLarge = Buffer.byteLength(bundle) > maximumBundleBytes;
  if (isLarge) throw invalid([faultAt("body", ["bundle"], "is larger than 128 KiB")]);
  if (!isJsonObject(parsedJson(bundle))) {
    throw invalid([faultAt("body", ["bundle"], "must be the text of a JSON object")]);
  }
  if (Bun.CryptoHasher.hash("sha256", bundle, "hex") === digest) return;
  throw invalid([faultAt("body", ["bundleDigest"], "is not the SHA-256 of the bundle")]);
}

function json(body: unknown, status: number): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store" } });
}

const style = `${cardStyle}
main { width: min(48rem, 100%); }
pre { margin: 0; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere;
  font: 0.875rem/1.5 ui-monospace, monospace; }
`;

// The token leaves the address bar and the history before the request.
const script = `
const shown = new URLSearchParams(location.hash.slice(1));
const [draft, token] = [shown.get("draft"), shown.get("token")];
const words = document.getElementById("words");
history.replaceState(null, "", location.pathname + location.search);
async function openDraft() {
  const response = await fetch("${supportDraftsPath}/" + encodeURIComponent(draft) + "/open", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  document.getElementById("report").textContent = JSON.stringify(answer.report, null, 2);
  words.textContent = "Copy this report for the operator of this platform. It is shown once.";
}
if (draft && token) {
  words.textContent = "Loading the report …";
  openDraft().catch((error) => { words.textContent = error.message; });
}
`;

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64");

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${digestOf(style)}'`,
  `script-src 'sha256-${digestOf(script)}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page of drafts and of the chat. Only its script knows the draft. */
function supportPage(asksForChat: boolean): Response {
  const words = asksForChat
    ? "This platform has no chat. Contact its operator, or make a report with `svc support`."
    : "Make a report with `svc support`: it ends with an address that opens the report here.";
  const content = html`<p id="words" role="status">${words}</p>
    <pre id="report"></pre>
    ${new Html(`<script>${script}</script>`)}`;
  return new Response(htmlPage("Support", content, style).text, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": policy,
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    },
  });
}
