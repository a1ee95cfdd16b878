import { Refusal } from "#contract/problems.ts";
import type { Exchange } from "./exchange.ts";

/** 503 for new requests while the platform drains, and for requests that the drain ends. */
export function shuttingDown(): Refusal {
  return new Refusal("draining", { headers: { "retry-after": "5", connection: "close" } });
}

/** 401 for a request without a token, so without an error code (RFC 6750, 3.1). */
export function unauthenticated(): Refusal {
  return new Refusal("unauthenticated", {
    detail: "This address needs an access token: Authorization: Bearer …",
    headers: { "www-authenticate": 'Bearer realm="svc"' },
  });
}

/** 404 for a workspace that does not exist, and for one that the caller is not a member of. */
export function workspaceNotFound(): Refusal {
  return new Refusal("not-found", {
    detail: "The workspace does not exist, or you are not a member of it",
  });
}

/** 403 with the role that the route needs and the role that the caller has. */
export function roleTooLow(requiredRole: string, currentRole: string): Refusal {
  return new Refusal("permission-denied", {
    detail: `This needs the role ${requiredRole}; yours is ${currentRole}`,
    members: { requiredRole, currentRole },
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
  const { access, appsToo, peopleOnly, workspace } = route.definition;
  if (signedIn?.appWorkspaceId !== undefined) {
    const isOutside = workspace === "none" && access !== "public" && appsToo !== true;
    if (!isOutside && peopleOnly !== true) return;
    throw new Refusal("permission-denied", {
      detail: "Tokens of an app may not do this: sign in to the platform itself",
    });
  }
  if (peopleOnly !== true || signedIn?.isKey !== true) return;
  throw new Refusal("permission-denied", {
    detail: "Keys of service accounts may not do this: sign in as a person",
  });
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
