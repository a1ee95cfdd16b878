import { Refusal } from "#contract/problems.ts";
import { given } from "#lib/given.ts";
import { requireHandshake, wantsSocket } from "./response/socket-request.ts";
import type { Exchange } from "./exchange.ts";
import { accepts } from "./request-headers.ts";
import { refusedCaller } from "../work/held-role.ts";

/** 401 for a request without a token, so without an error code (RFC 6750, 3.1). */
export function unauthenticated(): Refusal {
  return new Refusal("unauthenticated", {
    detail: "This address needs an access token: Authorization: Bearer …",
    headers: { "www-authenticate": 'Bearer realm="svc"' },
  });
}

/** 403 with the permission that a role of the workspace lacks. */
export function permissionMissing(
  permission: string,
  requiredRole: string,
  currentRole: string,
): Refusal {
  return new Refusal("permission-denied", {
    detail: `This needs the permission ${permission}, which the role ${currentRole} lacks`,
    members: { requiredRole, currentRole, permission },
  });
}

/**
 * Refuses 403 to a key of a service account on routes for people, and to the token of an app on
 * routes outside its workspace.
 */
export function requirePerson({ route, signedIn }: Exchange): void {
  if (signedIn === undefined) return;
  const refused = refusedCaller(route.definition, signedIn);
  if (refused !== undefined)
    throw new Refusal("permission-denied", { detail: personWords[refused] });
}

const personWords = {
  app: "Tokens of an app may not do this: sign in to the platform itself",
  key: "Keys of service accounts may not do this: sign in as a person",
};

/** Refuses 406 for an Accept without a media type of the route (RFC 9110, 12.5.1). */
export function requireAcceptable(exchange: Exchange): void {
  if (wantsSocket(exchange)) return requireHandshake(exchange.headers);
  const accept = exchange.headers.get("accept");
  const { reply, events } = exchange.route.definition;
  if (accept === null) return;
  if (reply.type === "events") return requireEvents(exchange.headers, accept);
  if (reply.type !== "json" || /\*\/\*|application\/(?:\*|[\w.+-]*json)/i.test(accept)) return;
  if (events !== undefined && exchange.wantsEvents) return;
  if (reply.alsoAs?.some((type) => accepts(exchange.headers, type)) === true) return;
  throw onlyAs("application/json", ...(events ? [eventStream] : []), ...(reply.alsoAs ?? []));
}

const eventStream = "text/event-stream";

function requireEvents(headers: Headers, accept: string): void {
  if (/\*\/\*|text\/\*/i.test(accept) || accepts(headers, eventStream)) return;
  throw onlyAs(eventStream);
}

function onlyAs(...types: readonly string[]): Refusal {
  return new Refusal("not-acceptable", { detail: `This route returns ${types.join(" or ")}` });
}

/** The refusal of faults in the query with the status that the standard of the route says. */
export function refusalOf({ endpoint }: Exchange, refusal: Refusal): Refusal {
  const { detail, errors = [] } = refusal.options;
  if (endpoint?.definition.queryFaults === undefined || refusal.code !== "validation-failed") {
    return refusal;
  }
  if (!errors.every(({ pointer }) => pointer.startsWith("#/query/"))) return refusal;
  return new Refusal("malformed-request", { ...given({ detail }), errors });
}

export function mayChange({ method }: Exchange): boolean {
  return method !== "GET" && method !== "HEAD";
}

/**
 * Refuses a change whose client has already left. The runtime closes a connection on which a second
 * request arrives before the first response, so neither of two in one packet takes effect.
 */
export function refuseLeft(exchange: Exchange): void {
  if (mayChange(exchange) && exchange.request.signal.aborted) {
    throw new Refusal("request-cancelled");
  }
}
