import type { CapabilityEntry } from "#contract/access/capabilities.ts";
import {
  capabilities,
  capabilityNamed,
  capabilityOf,
  isRole,
  type Capability,
} from "#contract/access/permissions.ts";
import { pointer, type Refusal } from "#contract/problems.ts";
import { roleIncludes, roles } from "#contract/access/roles.ts";
import { given } from "#lib/given.ts";
import { shortText } from "#lib/text/short.ts";
import { invalid } from "../../kit/faults.ts";
import type { HeldRole, Principal } from "../../work/caller.ts";
import { heldRole, refusedCaller, roleWithinApp } from "../../work/held-role.ts";
import { workspaceNotFound } from "../../work/refusals.ts";
import type { AccessPort } from "../../work/ports.ts";

const maximumShownName = 100;

interface Question {
  readonly capability?: string | undefined;
  readonly capabilities?: readonly string[] | undefined;
  readonly tenantId?: string | undefined;
}

type Evaluation = {
  allowed: boolean;
  reason: string;
  requiredRole?: string | null;
  currentRole?: string | null;
  decisions?: Decision[];
};
type Decision = Omit<Evaluation, "decisions"> & { capability: string };

/** The rights of callers, computed from the contract as the pipeline decides it. */
export class CapabilityService {
  constructor(private readonly access: AccessPort) {}

  catalog(): { items: CapabilityEntry[]; roles: string[] } {
    return { items: capabilities.map(entryOf), roles: [...roles] };
  }

  /** True if a user's role in a workspace includes a route. */
  async mayUse(workspaceId: string, oid: string, capability: string): Promise<boolean> {
    const access = capabilityNamed(capability)?.access;
    const held = await this.access.heldIn(workspaceId, oid);
    if (held === undefined || access === undefined || !isRole(access)) return false;
    return held.permissions?.has(capability) ?? roleIncludes(held.role, access);
  }

  /** The decision, or one for each of several. A stranger's workspace is 404. */
  async evaluate(principal: Principal, question: Question): Promise<Evaluation> {
    const { capability, capabilities: several, tenantId } = question;
    const names = several ?? [capability ?? ""];
    const found = names.map(capabilityOfName);
    const roles = await this.#rolesIn(principal, tenantId, found);
    const decisions = found.map((each, at) => {
      if (each !== undefined) return decided(each, principal, { tenantId, held: roles(each) });
      const place = several === undefined ? ["capability"] : ["capabilities", at];
      throw notListed(names[at] ?? "", pointer(...place));
    });
    const shown = decisions.find(({ allowed }) => !allowed) ?? decisions[0];
    if (shown === undefined) throw new TypeError("no capability was named");
    return several === undefined ? withoutName(shown) : { ...withoutName(shown), decisions };
  }

  /** The caller's role for each route; 404 for a caller without any in the workspace. */
  async #rolesIn(
    principal: Principal,
    tenantId: string | undefined,
    asked: readonly (Capability | undefined)[],
  ): Promise<(of: Capability) => HeldRole | undefined> {
    if (tenantId === undefined) return () => undefined;
    const member = await roleWithinApp(principal, tenantId, this.access);
    const special = new Map<Capability, HeldRole | undefined>();
    for (const each of asked) {
      if (each === undefined) continue;
      const { systemAdminToo, deletedToo } = each.definition;
      if (systemAdminToo !== true && deletedToo !== true) continue;
      special.set(each, await heldRole(each.definition, principal, tenantId, this.access));
    }
    const isStranger = [member, ...special.values()].every((held) => held === undefined);
    if (isStranger) throw workspaceNotFound();
    return (of) => (special.has(of) ? special.get(of) : member);
  }
}

function capabilityOfName(name: string): Capability | undefined {
  const [method = "", path = ""] = name.split(" ");
  return capabilityNamed(name) ?? capabilityOf(method, path);
}

function notListed(name: string, place: string): Refusal {
  const shown = JSON.stringify(shortText(name, maximumShownName));
  const detail = `is ${shown}, which is not in the capabilities catalog`;
  return invalid([{ pointer: place, detail }]);
}

function withoutName({ capability: _name, ...decision }: Decision): Evaluation {
  return decision;
}

function entryOf({ capability, access, definition }: Capability): CapabilityEntry {
  const { method, path, summary, peopleOnly, appsToo, systemAdminToo } = definition;
  return {
    capability,
    method,
    path,
    summary,
    requiredRole: access,
    workspace: definition.workspace !== "none",
    ...given({ peopleOnly, appsToo, systemAdminToo }),
  };
}

const refusedWords = {
  app: "tokens of an app may not do this",
  key: "keys of service accounts may not do this",
};

/** The decision as the pipeline makes it, step by step. */
function decided(
  { capability, access, definition }: Capability,
  principal: Principal,
  {
    tenantId,
    held,
  }: { readonly tenantId: string | undefined; readonly held: HeldRole | undefined },
): Decision {
  const answer = (allowed: boolean, reason: string, currentRole: string | null) => ({
    capability,
    allowed,
    reason,
    requiredRole: access,
    currentRole,
  });
  const refused = refusedCaller(definition, principal);
  if (refused !== undefined) return answer(false, refusedWords[refused], held?.name ?? null);
  const installationRole = principal.systemAdmin ? "system-admin" : null;
  if (access === "system-admin") {
    return principal.systemAdmin
      ? answer(true, "you administer the installation", installationRole)
      : answer(false, "needs system-admin; you do not administer the installation", null);
  }
  if (definition.workspace === "none" || access === "public") {
    return answer(true, "every signed-in user may do this", held?.name ?? installationRole);
  }
  if (tenantId === undefined) {
    const detail = `is required, because ${capability} acts in a workspace`;
    throw invalid([{ pointer: pointer("tenantId"), detail }]);
  }
  if (definition.systemAdminToo === true && principal.systemAdmin) {
    return answer(true, "you administer the installation", installationRole);
  }
  if (held === undefined) return answer(false, "you are not a member of this workspace", null);
  if (!isRole(access)) return answer(true, "every member may do this", held.name);
  const isAllowed = held.permissions?.has(capability) ?? roleIncludes(held.role, access);
  if (isAllowed) return answer(true, `you are ${held.name}`, held.name);
  const granting = held.permissions === undefined ? "" : `the permission ${capability} or `;
  return answer(false, `needs ${granting}${access}; you are ${held.name}`, held.name);
}
