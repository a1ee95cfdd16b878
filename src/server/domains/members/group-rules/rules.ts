import type {
  GroupRule,
  GroupRuleChange,
  GroupRuleReceipt,
  GroupRuleSet,
} from "#contract/access/group-rules.ts";
import type { ChangedKey } from "#contract/access/keys.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import type { Reader } from "../../../database/database.ts";
import { invalid } from "../../../kit/faults.ts";
import type { ListCursors } from "../../../kit/lists/cursors.ts";
import { ListPages, madeAt } from "../../../kit/lists/pages.ts";
import type { Work } from "../../../work/work.ts";
import type { PlatformWork } from "../../../work/works.ts";
import { requireStillAdmin } from "../admin-rule.ts";
import { keyFacts, lowerMadeKeys, settleMadeKeys } from "../keys/made-keys.ts";
import { makersByRule } from "../keys/store.ts";
import { roleFacts } from "../membership.ts";
import type { RoleDefinitions } from "../roles.ts";
import { countAdmins } from "../store.ts";
import { lockWorkspace } from "../../workspace-lock.ts";
import { SignInRules } from "./sign-in-rules.ts";
import {
  countRules,
  deleteRule,
  insertRule,
  ruleOf,
  rulesOf,
  updateRule,
  type RuleRecord,
  type RuleRow,
} from "./store.ts";
import { storedRole } from "../../../work/held-role.ts";

/** A bound above the number of rules that an admin can tell apart. */
const maximumRules = 200;
const defaultClaim = "groups";

/**
 * Roles by groups of an external provider: an admin gives a claim value a role in the workspace,
 * and the sign-ins of the provider's users give and end those memberships.
 */
export class GroupRules {
  readonly signIns: SignInRules;

  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly roles: RoleDefinitions;
      readonly cursors: ListCursors;
      readonly now: () => Date;
      /** The external provider that signs users in; undefined without one. */
      readonly issuer: string | undefined;
    },
  ) {
    this.signIns = new SignInRules(parts);
  }

  async list(
    { read }: Work,
    workspaceId: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
  ): Promise<ListBody<GroupRule>> {
    const pages = new ListPages(this.parts.cursors, ["group rules", workspaceId]);
    const start = pages.start(query);
    const { rows: limit, offset } = start;
    return pages.body(start, {
      rows: await rulesOf(read, { workspaceId, after: madeAt(start.after), limit, offset }),
      itemOf: (row) => this.#ruleOf(row),
      positionOf: (row) => [row.created_at, row.id],
      total: query.count === true ? await countRules(read, workspaceId) : undefined,
    });
  }

  /** Gives a group a role; the members by a rule that exists change with it. */
  async set(work: Work, workspaceId: string, change: GroupRuleChange): Promise<GroupRuleSet> {
    const issuer = change.issuer ?? this.parts.issuer;
    if (issuer === undefined) {
      const detail = "is required, because no external provider signs users in here";
      throw invalid([{ pointer: pointer("issuer"), detail }]);
    }
    const group = { issuer, claim: change.claim ?? defaultClaim, value: change.value };
    const wide = work.everywhere("keys of members that other workspaces own");
    return wide.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      await requireStillAdmin(tx, workspaceId, work.scope.caller);
      const present = await ruleOf(tx, workspaceId, group);
      const { role, definitionId, key } = await this.parts.roles.assigned(tx, workspaceId, change);
      const at = this.parts.now().toISOString();
      const facts = { role, role_definition_id: definitionId, updated_at: at };
      if (present === undefined && (await countRules(tx, workspaceId)) >= maximumRules) {
        throw new Refusal("conflict", {
          detail: `Cannot add another rule: a workspace has at most ${maximumRules}. Delete one first`,
        });
      }
      const row: RuleRecord = {
        ...(present === undefined
          ? newRow(workspaceId, group, { by: work.scope.caller, at })
          : storedRow(present)),
        ...facts,
      };
      const makers = await makersByRule(tx, workspaceId, row.id);
      if (present === undefined) await insertRule(tx, row);
      else await keepingAnAdmin(tx, workspaceId, () => updateRule(tx, row, facts));
      const lowered: ChangedKey[] = [];
      for (const maker of makers) {
        const next = { role, definitionId, at: this.parts.now() };
        lowered.push(...(await lowerMadeKeys(tx, maker, next)));
      }
      tx.note({
        target: { ruleId: row.id, ...group },
        before: present === undefined ? {} : { role: present.role_key ?? present.role },
        after: { role: key ?? role, ...keyFacts(lowered) },
      });
      const stored = { ...row, role_key: key, member_count: present?.member_count ?? 0 };
      const created = present === undefined;
      const result = { ...this.#ruleOf(stored), created, ...keyFacts(lowered) };
      tx.remember(result);
      return result;
    });
  }

  async delete(work: Work, workspaceId: string, id: string): Promise<GroupRuleReceipt> {
    const wide = work.everywhere("keys of members that other workspaces own");
    return wide.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const present = await ruleOf(tx, workspaceId, { id });
      if (present === undefined) {
        throw new Refusal("not-found", { detail: "This workspace has no such group rule" });
      }
      const { issuer, claim, value } = present;
      const makers = await makersByRule(tx, workspaceId, id);
      const removedMembers = await keepingAnAdmin(tx, workspaceId, () => deleteRule(tx, present));
      const ended: ChangedKey[] = [];
      for (const maker of makers) {
        const settled = { choice: "revoke", at: this.parts.now() } as const;
        ended.push(...(await settleMadeKeys(tx, maker, settled)));
      }
      const keys = keyFacts(ended);
      tx.note({
        target: { ruleId: id, issuer, claim, value },
        before: { role: present.role_key ?? present.role, members: removedMembers },
        after: keys,
      });
      return { ruleId: id, status: "deleted", removedMembers, ...keys };
    });
  }

  #ruleOf(row: RuleRow): GroupRule {
    return {
      ruleId: row.id,
      issuer: row.issuer,
      claim: row.claim,
      value: row.value,
      role: storedRole(row.role),
      ...roleFacts(row.role_definition_id, row.role_key),
      applies: row.issuer === this.parts.issuer,
      memberCount: Number(row.member_count),
      created_by: row.created_by,
      created_at: row.created_at,
      updated_at: row.updated_at,
    };
  }
}

/** Runs a change of many members; 409 if it would leave the workspace without an admin. */
async function keepingAnAdmin<Result>(
  reader: Reader,
  workspaceId: string,
  change: () => Promise<Result>,
): Promise<Result> {
  const before = await countAdmins(reader, workspaceId);
  const result = await change();
  if (before > 0 && (await countAdmins(reader, workspaceId)) === 0) {
    throw new Refusal("conflict", {
      detail:
        "Cannot take this rule's role away: a workspace needs at least one tenant-admin. Make another member admin first",
    });
  }
  return result;
}

function newRow(
  workspaceId: string,
  group: Pick<RuleRecord, "issuer" | "claim" | "value">,
  made: { readonly by: string; readonly at: string },
): Omit<RuleRecord, "role" | "role_definition_id" | "updated_at"> {
  const { by, at } = made;
  const id = Bun.randomUUIDv7();
  return { workspace_id: workspaceId, id, ...group, created_by: by, created_at: at };
}

function storedRow({ role_key: _key, member_count: _count, ...row }: RuleRow): RuleRecord {
  return row;
}
