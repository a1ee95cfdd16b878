import type { Reader, Writer } from "../../../database/database.ts";
import { assignments, insertInto, join, raw, statement } from "../../../database/statement.ts";
import { countRows, newestFirst, type NewestPage } from "../../../database/row-pages.ts";
import type { Transaction } from "../../../work/work.ts";
import type { MemberRecord } from "../store.ts";
import type { GroupClaim } from "./claims.ts";

/** A role for the users of an external provider with a claim value. */
export interface RuleRecord {
  readonly workspace_id: string;
  readonly id: string;
  readonly issuer: string;
  readonly claim: string;
  readonly value: string;
  readonly role: string;
  readonly role_definition_id: string | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
}
export type RuleRow = RuleRecord & {
  readonly role_key: string | null;
  readonly member_count: number;
};

const selection = raw(`select group_rules.*, role_definitions.key as role_key,
    (select count(*) from members where members.workspace_id = group_rules.workspace_id
      and members.rule_id = group_rules.id) as member_count
  from group_rules left join role_definitions
    on role_definitions.workspace_id = group_rules.workspace_id
      and role_definitions.id = group_rules.role_definition_id`);

export async function insertRule(tx: Transaction, row: RuleRecord): Promise<void> {
  await tx.run(insertInto("group_rules", row));
  tx.event("role", row.id, row.workspace_id, { op: "created" });
}

/** The rule of a workspace, by its id or by its group. */
export async function ruleOf(
  reader: Reader,
  workspaceId: string,
  by: { readonly id: string } | Pick<RuleRecord, "issuer" | "claim" | "value">,
): Promise<RuleRow | undefined> {
  const which =
    "id" in by
      ? statement`group_rules.id = ${by.id}`
      : statement`group_rules.issuer = ${by.issuer} and group_rules.claim = ${by.claim}
          and group_rules.value = ${by.value}`;
  return reader.first<RuleRow>(
    statement`${selection} where group_rules.workspace_id = ${workspaceId} and ${which}`,
  );
}

export async function rulesOf(
  reader: Reader,
  { workspaceId, ...page }: NewestPage & { readonly workspaceId: string },
): Promise<RuleRow[]> {
  return reader.all<RuleRow>(statement`${selection}
    where group_rules.workspace_id = ${workspaceId}
      ${newestFirst(page, { time: "group_rules.created_at", id: "group_rules.id" })}`);
}

export async function countRules(reader: Reader, workspaceId: string): Promise<number> {
  return countRows(reader, statement`from group_rules where workspace_id = ${workspaceId}`);
}

/** Changes the role of the rule and of the members that it has granted. */
export async function updateRule(
  tx: Transaction,
  key: Pick<RuleRecord, "workspace_id" | "id">,
  changes: Pick<RuleRecord, "role" | "role_definition_id" | "updated_at">,
): Promise<void> {
  await tx.run(statement`update group_rules set ${assignments(changes)}
    where workspace_id = ${key.workspace_id} and id = ${key.id}`);
  await tx.run(statement`update members set ${assignments(changes)}
    where workspace_id = ${key.workspace_id} and rule_id = ${key.id}`);
  tx.event("role", key.id, key.workspace_id);
}

/** Deletes the rule with the memberships that it has granted; returns their number. */
export async function deleteRule(
  tx: Transaction,
  key: Pick<RuleRecord, "workspace_id" | "id">,
): Promise<number> {
  const { changedRows } = await tx.run(statement`delete from members
    where workspace_id = ${key.workspace_id} and rule_id = ${key.id}`);
  await tx.run(statement`delete from group_rules
    where workspace_id = ${key.workspace_id} and id = ${key.id}`);
  tx.event("role", key.id, key.workspace_id, { op: "deleted" });
  return changedRows;
}

/** Number of values in one statement. */
const valuesAtOnce = 500;
/** Rules that one sign-in applies, the oldest first: more than a user has workspaces. */
const maximumMatches = 1_000;

/** The rules that the claims match, in workspaces that are open and that the user has not left. */
export async function matchingRules(
  reader: Reader,
  { oid, issuer, claims }: MatchedUser,
): Promise<RuleRecord[]> {
  const found: RuleRecord[] = [];
  for (const { claim, values } of claims) {
    for (let start = 0; start < values.length; start += valuesAtOnce) {
      const some = join(values.slice(start, start + valuesAtOnce));
      found.push(
        ...(await reader.all<RuleRecord>(statement`select group_rules.* from group_rules
            join workspaces on workspaces.id = group_rules.workspace_id
          where group_rules.issuer = ${issuer} and group_rules.claim = ${claim}
            and group_rules.value in (${some}) and workspaces.deleted_at is null
            and not exists (select 1 from group_rule_exclusions as excluded
              where excluded.workspace_id = group_rules.workspace_id and excluded.oid = ${oid})
          order by group_rules.created_at limit ${maximumMatches}`)),
      );
    }
  }
  return found.toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1));
}

export interface MatchedUser {
  readonly oid: string;
  readonly issuer: string;
  readonly claims: readonly GroupClaim[];
}

/** A membership that a rule has granted, with the claim of the rule. */
export type GrantedMember = MemberRecord & { readonly claim: string | null };

/** The memberships of a user that rules have granted. */
export async function grantedMembers(reader: Reader, oid: string): Promise<GrantedMember[]> {
  return reader.all<GrantedMember>(statement`select members.*, group_rules.claim
    from members join workspaces on workspaces.id = members.workspace_id
      left join group_rules on group_rules.workspace_id = members.workspace_id
        and group_rules.id = members.rule_id
    where members.oid = ${oid} and members.rule_id is not null
      and workspaces.deleted_at is null`);
}

export async function hasRules(reader: Reader, issuer: string): Promise<boolean> {
  const row = await reader.first(
    statement`select 1 as found from group_rules where issuer = ${issuer} limit 1`,
  );
  return row !== undefined;
}

/** When the newest token that was applied for the user was issued, in seconds. */
export async function appliedAt(reader: Reader, oid: string): Promise<number | undefined> {
  const row = await reader.first<{ issued_at: number }>(
    statement`select issued_at from external_sign_ins where oid = ${oid}`,
  );
  return row === undefined ? undefined : Number(row.issued_at);
}

/**
 * Returns false where a newer token was applied. It serialises the sign-ins of a user on
 * PostgreSQL.
 */
export async function noteSignIn(writer: Writer, oid: string, issuedAt: number): Promise<boolean> {
  const { changedRows } = await writer.run(statement`insert into external_sign_ins
      (oid, issued_at) values (${oid}, ${issuedAt})
    on conflict (oid) do update set issued_at = excluded.issued_at
      where external_sign_ins.issued_at <= excluded.issued_at`);
  return changedRows > 0;
}

/** Keeps the rules of a workspace from bringing back a user of an external provider. */
export async function excludeFromRules(
  writer: Writer,
  member: Pick<MemberRecord, "workspace_id" | "oid">,
  at: string,
): Promise<void> {
  await writer.run(statement`insert into group_rule_exclusions (workspace_id, oid, created_at)
    select ${member.workspace_id}, oid, ${at} from users
      where oid = ${member.oid} and issuer <> ''
    on conflict do nothing`);
}

export async function includeInRules(
  writer: Writer,
  workspaceId: string,
  oid: string,
): Promise<void> {
  await writer.run(statement`delete from group_rule_exclusions
    where workspace_id = ${workspaceId} and oid = ${oid}`);
}
