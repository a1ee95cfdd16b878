import { docsPath, llmsPath } from "#contract/platform/site.ts";
import { Refusal } from "#contract/problems.ts";
import { version } from "#lib/version.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { DocsService, PackedPage } from "./service.ts";
import { streamedResponses } from "../../http/response/body-sources.ts";
import { createHash } from "node:crypto";
import { cardStyle, htmlPage } from "#lib/text/html-page.ts";
import { html } from "#lib/text/html.ts";

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The first page of the platform, and its reference below `/docs`. */
export class DocsPages {
  constructor(private readonly docs: DocsService) {}

  /** The response to a request for a page; undefined for every other path. */
  answer(exchange: Exchange): Promise<Response> | undefined {
    const { path } = exchange;
    if (path === "/") return this.#home(exchange);
    if (path === llmsPath) return this.#llms(exchange);
    if (path === docsPath || path.startsWith(`${docsPath}/`)) return this.#page(exchange);
    return undefined;
  }

  async #home(exchange: Exchange): Promise<Response> {
    requireGet(exchange);
    const wantsPage = exchange.headers.get("accept")?.includes("text/html") === true;
    if (wantsPage) return homePage(this.docs.exists);
    const docs = this.docs.exists ? { docs: `${exchange.baseUrl}${docsPath}/` } : {};
    return Response.json(
      { name: "svc", version, ...docs, openapi: `${exchange.baseUrl}/v4/openapi.json` },
      { headers: { "cache-control": "no-store", vary: "accept" } },
    );
  }

  /** The text of the reference, with links from the root. */
  async #llms(exchange: Exchange): Promise<Response> {
    requireGet(exchange);
    const page = await this.docs.page(llmsPath.slice(1));
    if (page === undefined) throw new Refusal("route-not-found");
    const text = page.text.replaceAll(/\]\((?!\/)/g, `](${docsPath}/`);
    const headers = { "content-type": page.contentType, "cache-control": "no-cache" };
    return new Response(text, { headers: { ...headers, "x-content-type-options": "nosniff" } });
  }

  async #page(exchange: Exchange): Promise<Response> {
    requireGet(exchange);
    const { path } = exchange;
    const below = path.slice(docsPath.length + 1);
    const isFolder = path.endsWith("/");
    const page = await this.docs.page(isFolder ? `${below}index.html` : below);
    if (page !== undefined) return pageResponse(exchange, page);
    const folder = below === "" ? "index.html" : `${below}/index.html`;
    if (isFolder || (await this.docs.page(folder)) === undefined) {
      throw new Refusal("route-not-found");
    }
    // Relative links of a page begin at its folder.
    const last = path.slice(path.lastIndexOf("/") + 1);
    return new Response(null, {
      status: 308,
      headers: { location: `${last}/`, "cache-control": "no-cache" },
    });
  }
}

function pageResponse({ headers: asked }: Exchange, page: PackedPage): Response {
  const headers: Record<string, string> = {
    "content-type": page.contentType,
    etag: page.tag,
    // A new version of the platform shows at once.
    "cache-control": "no-cache",
    vary: "accept-encoding",
    "content-security-policy": policy,
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
  if (asked.get("if-none-match") === page.tag) return new Response(null, { status: 304, headers });
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(
    asked.get("accept-encoding") ?? "",
  );
  if (!takesGzip) return new Response(page.text, { headers });
  const response = new Response(page.gzip, { headers: { ...headers, "content-encoding": "gzip" } });
  // Other threads would take the bytes for text.
  streamedResponses.add(response);
  return response;
}

function requireGet({ method }: Exchange): void {
  if (method === "GET" || method === "HEAD") return;
  throw new Refusal("method-not-allowed", { headers: { allow: "GET" } });
}

const style = `${cardStyle}
ul { margin: 0; padding: 0; list-style: none; }
li { margin: 0.35rem 0; }
a { color: light-dark(#0b5c6b, #5fc9dc); }
:focus-visible { outline: 3px solid light-dark(#0b5c6b, #5fc9dc); outline-offset: 2px; }
code { font-family: ui-monospace, monospace; }
`;
const styleDigest = createHash("sha256").update(style).digest("base64");

/** The platform's name and version, and the way to its documentation. */
function homePage(hasDocs: boolean): Response {
  const docs = hasDocs
    ? html`<li><a href="${docsPath}/">Documentation</a></li>`
    : html`<li><code>svc --help</code> in a terminal</li>`;
  const content = html`<p>A workspace data platform, version ${version}.</p>
    <ul>
      ${docs}
      <li><a href="/v4/openapi.json">The interface as OpenAPI 3.1</a></li>
      <li><a href="/v4/data/resources/health">Health</a></li>
    </ul>`;
  return new Response(htmlPage("svc", content, style).text, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      vary: "accept",
      "content-security-policy": [
        "default-src 'none'",
        `style-src 'sha256-${styleDigest}'`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join("; "),
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    },
  });
}
