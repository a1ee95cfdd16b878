import { Refusal } from "#contract/problems.ts";

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

/** 503 for new requests while the platform drains, and for requests that the drain ends. */
export function shuttingDown(): Refusal {
  return new Refusal("draining", { headers: { "retry-after": "5", connection: "close" } });
}
