import type { Exchange } from "../exchange.ts";

/** True if a part of the request's body may be unread; JSON bodies are read as a whole. */
export function mayLeaveBody({ endpoint }: Exchange, { status }: Response): boolean {
  const body = endpoint?.definition.body?.type;
  return status >= 400 || body === "multipart" || body === "bytes";
}

/** The response to HEAD, without the body that GET has. */
export function withoutBodyForHead(exchange: Exchange, response = exchange.response): Response {
  if (response === undefined) throw new TypeError("no step has set a response");
  if (exchange.method !== "HEAD" || response.body === null) return response;
  const { status, headers } = response;
  response.body.cancel().catch(() => undefined);
  return new Response(null, { status, headers });
}
