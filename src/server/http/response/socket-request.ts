import { Refusal } from "#contract/problems.ts";
import type { Exchange } from "../exchange.ts";

/** True if the request asks for the protocol of RFC 6455. */
export function isSocketRequest(headers: Headers): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket";
}

/** True if the route answers this request by WebSocket; other routes ignore the field. */
export function wantsSocket({ route, method, headers }: Exchange): boolean {
  return route.definition.webSocket === true && method === "GET" && isSocketRequest(headers);
}

/** Refuses 400 for a handshake that the runtime could not complete (RFC 6455, 4.2.1). */
export function requireHandshake(headers: Headers): void {
  const isKeyed = /^[\w+/]{22}==$/.test(headers.get("sec-websocket-key") ?? "");
  if (isKeyed && headers.get("sec-websocket-version") === "13") return;
  throw new Refusal("malformed-request", {
    detail: "Cannot open a WebSocket: expected a Sec-WebSocket-Key of 16 bytes and the version 13",
    headers: { "sec-websocket-version": "13" },
  });
}
