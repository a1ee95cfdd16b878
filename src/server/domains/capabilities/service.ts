import type { CapabilityEntry } from "#contract/access/capabilities.ts";
import {
  capabilities,
  capabilityNamed,
  capabilityOf,
  isRole,
  type Capability,
} from "#contract/access/permissions.ts";
import { pointer } from "#contract/problems.ts";
import { roleIncludes, roles } from "#contract/access/roles.ts";
import { shortText } from "#lib/text/short.ts";
import { invalid } from "../../kit/faults.ts";
import type { HeldRole, Principal } from "../../work/caller.ts";
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

  /** Whether a user's role in a workspace includes a route. */
  async mayUse(workspaceId: string, oid: string, capability: string): Promise<boolean> {
    const access = capabilityNamed(capability)?.access;
    const held = await this.access.heldIn(workspaceId, oid);
    if (held === undefined || access === undefined || !isRole(access)) return false;
    return held.permissions?.has(capability) ?? roleIncludes(held.role, access);
  }

  /** The decision, or one for each of several. A stranger's workspace is 404. */
  async evaluate(principal: Principal, question: Question): Promise<Evaluation> {
    const { tenantId } = question;
    const held =
      tenantId === undefined ? undefined : await this.access.heldIn(tenantId, principal.oid);
    if (tenantId !== undefined && held === undefined) throw workspaceNotFound();
    const named = (name: string, place: string): Capability => {
      const [method = "", path = ""] = name.split(" ");
      const found = capabilityNamed(name) ?? capabilityOf(method, path);
      if (found !== undefined) return found;
      const given = JSON.stringify(shortText(name, maximumShownName));
      const detail = `is ${given}, which is not in the capabilities catalog`;
      throw invalid([{ pointer: place, detail }]);
    };
    if (question.capabilities === undefined) {
      const found = named(question.capability ?? "", pointer("capability"));
      return withoutName(decided(found, principal, held));
    }
    const decisions = question.capabilities.map((name, at) =>
      decided(named(name, pointer("capabilities", String(at))), principal, held),
    );
    const refused = decisions.find(({ allowed }) => !allowed) ?? decisions[0];
    if (refused === undefined) throw new TypeError("no capability was named");
    return { ...withoutName(refused), decisions };
  }
}

function withoutName({ capability: _name, ...decision }: Decision): Evaluation {
  return decision;
}

function entryOf({ capability, access, definition }: Capability): CapabilityEntry {
  const { method, path, summary } = definition;
  return {
    capability,
    method,
    path,
    summary,
    requiredRole: access,
    workspace: definition.workspace !== "none",
  };
}

function decided(
  { capability, access, definition }: Capability,
  principal: Principal,
  held: HeldRole | undefined,
): Decision {
  const answer = (allowed: boolean, reason: string, currentRole: string | null) => ({
    capability,
    allowed,
    reason,
    requiredRole: access,
    currentRole,
  });
  if (principal.isKey === true && definition.peopleOnly === true) {
    return answer(false, "keys of service accounts may not do this", held?.name ?? null);
  }
  const installationRole = principal.systemAdmin ? "system-admin" : null;
  if (access === "system-admin") {
    return principal.systemAdmin
      ? answer(true, "you administer the installation", installationRole)
      : answer(false, "needs system-admin; you do not administer the installation", null);
  }
  if (definition.workspace === "none" || access === "public") {
    return answer(true, "every signed-in user may do this", held?.name ?? installationRole);
  }
  if (held === undefined) {
    throw invalid([
      {
        pointer: pointer("tenantId"),
        detail: `is required, because ${capability} acts in a workspace`,
      },
    ]);
  }
  if (!isRole(access)) return answer(true, "every member may do this", held.name);
  const isAllowed = held.permissions?.has(capability) ?? roleIncludes(held.role, access);
  if (isAllowed) return answer(true, `you are ${held.name}`, held.name);
  const granting = held.permissions === undefined ? "" : `the permission ${capability} or `;
  return answer(false, `needs ${granting}${access}; you are ${held.name}`, held.name);
}
