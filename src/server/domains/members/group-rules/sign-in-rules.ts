import { roles } from "#contract/access/roles.ts";
import type { Reader } from "../../../database/database.ts";
import type { ChangedKey } from "#contract/access/keys.ts";
import type { Transaction } from "../../../work/work.ts";
import type { PlatformWork } from "../../../work/works.ts";
import { addSignInEntry } from "../../audit/service.ts";
import type { ExternalIdentity, User } from "../../identity/service.ts";
import { keyFacts, lowerMadeKeys, settleMadeKeys } from "../keys/made-keys.ts";
import { grantRole } from "../membership.ts";
import { countAdmins, deleteMember, memberByOid, updateMember } from "../store.ts";
import { lockWorkspace } from "../../workspace-lock.ts";
import { groupClaims, omittedClaims } from "./claims.ts";
import {
  appliedAt,
  grantedMembers,
  hasRules,
  matchingRules,
  noteSignIn,
  type MatchedUser,
  type RuleRecord,
} from "./store.ts";
import { storedRole } from "../../../work/held-role.ts";

/** One membership before and after a sign-in. */
interface Change {
  readonly workspaceId: string;
  readonly present: RoleFacts | undefined;
  /** Undefined where no rule grants the membership any longer. */
  readonly rule: RuleRecord | undefined;
}

interface RoleFacts {
  readonly role: string;
  readonly role_definition_id: string | null;
  readonly rule_id: string | null;
}

/** Applies the rules of groups to the user of an external provider's token. */
export class SignInRules {
  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly now: () => Date;
    },
  ) {}

  /**
   * Gives and ends memberships by the claims of a verified token. An older token than the newest
   * one, or one without a time of issue, changes nothing.
   */
  async apply(user: User, identity: ExternalIdentity): Promise<void> {
    const { platformWork, now } = this.parts;
    const { issuer, claims = {} } = identity;
    if (identity.issuedAt === undefined || user.disabled_at !== null) return;
    const nowSeconds = Math.floor(now().getTime() / 1000);
    const issuedAt = Math.min(Math.floor(identity.issuedAt), nowSeconds);
    const work = platformWork("group rules and memberships of a user who signs in");
    const known = await appliedAt(work.read, user.oid);
    if (known !== undefined && known > issuedAt) return;
    const matched = { oid: user.oid, issuer, claims: groupClaims(claims) };
    const omitted = omittedClaims(claims);
    const planned = await changesFor(work.read, matched, omitted);
    if (planned.length === 0) {
      // A platform without rules has nothing to remember; a full disk must not end the sign-in.
      if (known === issuedAt || !(await hasRules(work.read, issuer))) return;
      await work.write((tx) => noteSignIn(tx, user.oid, issuedAt)).catch(() => {});
      return;
    }
    await work.write((tx) => this.#write(tx, user, { issuedAt, matched, omitted, planned }));
  }

  async #write(
    tx: Transaction,
    user: User,
    plan: {
      readonly issuedAt: number;
      readonly matched: MatchedUser;
      readonly omitted: ReadonlySet<string>;
      readonly planned: readonly Change[];
    },
  ): Promise<void> {
    if (!(await noteSignIn(tx, user.oid, plan.issuedAt))) return;
    const locked = [...new Set(plan.planned.map(({ workspaceId }) => workspaceId))].toSorted();
    for (const id of locked) await lockWorkspace(tx, id);
    // It is read again under the locks: an admin may have changed a rule or a membership.
    for (const change of await changesFor(tx, plan.matched, plan.omitted)) {
      if (!locked.includes(change.workspaceId)) continue;
      await this.#change(tx, user, change);
    }
  }

  /** Keeps a membership that was accepted, and that of the last admin. */
  async #change(tx: Transaction, user: User, { workspaceId, rule }: Change): Promise<void> {
    const at = this.parts.now();
    const member = await memberByOid(tx, workspaceId, user.oid);
    if (member !== undefined && member.rule_id === null) return;
    const isAdmin = member?.role === "tenant-admin" && member.status === "active";
    if (isAdmin && rule?.role !== "tenant-admin" && (await countAdmins(tx, workspaceId)) <= 1) {
      return;
    }
    let keys: ChangedKey[] = [];
    if (rule === undefined) {
      const member = { workspace_id: workspaceId, oid: user.oid };
      await deleteMember(tx, member);
      keys = await settleMadeKeys(tx, member, { choice: "revoke", at });
    } else if (member === undefined) {
      await grantRole(tx, {
        workspaceId,
        oid: user.oid,
        role: storedRole(rule.role),
        definitionId: rule.role_definition_id,
        invitedBy: rule.created_by,
        ruleId: rule.id,
        at,
      });
    } else {
      await updateMember(tx, member, { ...factsOf(rule), updated_at: at.toISOString() });
      keys = await lowerMadeKeys(tx, member, {
        role: storedRole(rule.role),
        definitionId: rule.role_definition_id,
        at,
      });
    }
    const action = rule === undefined ? "groupRules.ended" : "groupRules.granted";
    const changes = {
      target: { oid: user.oid, ruleId: rule?.id ?? member?.rule_id },
      before: member === undefined ? {} : { role: member.role_key ?? member.role },
      after: { ...(rule && { role: rule.role }), ...keyFacts(keys) },
    };
    await addSignInEntry(tx, action, changes, { at, workspaceId, user });
  }
}

/** The memberships by rules that the claims change. */
async function changesFor(
  reader: Reader,
  matched: MatchedUser,
  omitted: ReadonlySet<string>,
): Promise<Change[]> {
  const best = new Map<string, RuleRecord>();
  for (const rule of await matchingRules(reader, matched)) {
    const other = best.get(rule.workspace_id);
    if (other === undefined || rankOf(rule) > rankOf(other)) best.set(rule.workspace_id, rule);
  }
  const changes: Change[] = [];
  const granted = new Set<string>();
  for (const present of await grantedMembers(reader, matched.oid)) {
    const workspaceId = present.workspace_id;
    granted.add(workspaceId);
    const rule = best.get(workspaceId);
    // The user may still have a group that the token does not list.
    if (present.claim !== null && omitted.has(present.claim)) continue;
    if (rule === undefined || !isSame(present, factsOf(rule))) {
      changes.push({ workspaceId, present, rule });
    }
  }
  for (const [workspaceId, rule] of best) {
    if (granted.has(workspaceId)) continue;
    const member = await memberByOid(reader, workspaceId, matched.oid);
    if (member === undefined) changes.push({ workspaceId, present: undefined, rule });
  }
  return changes;
}

function factsOf({ id, role, role_definition_id }: RuleRecord): RoleFacts {
  return { role, role_definition_id, rule_id: id };
}

function isSame(one: RoleFacts, other: RoleFacts): boolean {
  return (
    one.role === other.role &&
    one.role_definition_id === other.role_definition_id &&
    one.rule_id === other.rule_id
  );
}

function rankOf({ role }: RuleRecord): number {
  return roles.indexOf(storedRole(role));
}
