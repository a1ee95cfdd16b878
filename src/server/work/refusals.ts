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

const drainSeconds = { least: 3, most: 8 } as const;

/**
 * 503 for new requests while the platform drains, and for requests that the drain ends. Each has
 * another `Retry-After` of 3 to 8 s, so that the clients do not all come back at once.
 */
export function shuttingDown(): Refusal {
  const { least, most } = drainSeconds;
  const seconds = least + Math.floor(Math.random() * (most - least + 1));
  return new Refusal("draining", { headers: { "retry-after": `${seconds}`, connection: "close" } });
}
