import { routes, type Domain } from "../index.ts";
import { roles, type Access, type Role } from "./roles.ts";
import type { RouteDefinition } from "../route.ts";

/** A route of the contract as something that a caller may or may not do. */
export interface Capability {
  /** `domain.route`, e.g. `resources.create`; also the name of its permission. */
  readonly capability: string;
  readonly access: Access;
  readonly definition: RouteDefinition;
}

/** Every route as a capability, in the order of the contract. */
export const capabilities: readonly Capability[] = (Object.keys(routes) as Domain[]).flatMap(
  (domain) =>
    Object.entries<RouteDefinition>(routes[domain]).map(([name, definition]) => ({
      capability: `${domain}.${name}`,
      access: definition.access,
      definition,
    })),
);

const byName = new Map(capabilities.map((each) => [each.capability, each]));

export function capabilityNamed(name: string): Capability | undefined {
  return byName.get(name);
}

/** The capability of a method and a path of the contract, e.g. `GET /v4/identity/me`. */
export function capabilityOf(method: string, path: string): Capability | undefined {
  return capabilities.find(
    ({ definition }) => definition.method === method && definition.path === path,
  );
}

export function isRole(access: Access): access is Role {
  return roles.some((role) => role === access);
}

/** The permissions of a base role: all routes of a workspace that it may call. */
export function permissionsOf(role: Role): string[] {
  return capabilities.flatMap(({ capability, access }) =>
    isRole(access) && roles.indexOf(access) <= roles.indexOf(role) ? [capability] : [],
  );
}

/** The highest base role whose permissions are all included; the lowest one otherwise. */
export function rankOf(permissions: ReadonlySet<string>): Role {
  const included = roles.filter((role) =>
    permissionsOf(role).every((each) => permissions.has(each)),
  );
  return included.at(-1) ?? roles[0];
}

/**
 * The permissions that a name stands for: one route, or with `domain.*` each route of a domain that
 * a member below `tenant-admin` may call. Empty for an unknown name.
 */
export function permissionsNamed(name: string): string[] {
  if (!name.endsWith(".*")) {
    const found = byName.get(name);
    return found !== undefined && isRole(found.access) ? [name] : [];
  }
  const domain = name.slice(0, -1);
  return permissionsOf("tenant-builder").filter((each) => each.startsWith(domain));
}
