import type { Scope } from "../../kit/scope.ts";
import { StorageError } from "../../kit/storage-errors.ts";
import type { Executed } from "../reader.ts";
import type { BoundParameter } from "../statement.ts";

/** The role of the platform's statements, if that of the URL would bypass row-level security. */
const applicationRole = "svc_application";

interface Session {
  execute(text: string, parameters: readonly BoundParameter[]): Promise<Executed>;
}

/** The setting that has the scope of statements. */
export const workspacesSetting = "svc.workspaces";
/** A setting that only own sessions have, since their start. */
export const sessionMark = "svc.session";
const everyWorkspace = "*";

/**
 * Sets the scope of the statements that follow in an own session. It fails in a session that
 * a pooler shares among clients, where no scope may stay.
 */
export const setScope = `select set_config('${workspacesSetting}', $1, false)
  where current_setting('${sessionMark}') is not null`;

/** The value of {@link setScope} for a scope. */
export function scopeSetting({ workspaces }: Scope): string {
  return workspaces === undefined ? everyWorkspace : `,${workspaces.join(",")},`;
}

export const setPlatformScope = `select set_config('${workspacesSetting}', '${everyWorkspace}', true)`;

/**
 * True for rows in the scope; none without a scope. The subquery is evaluated once per statement.
 * `strpos`, unlike `= any`, hardly changes the number of rows that the planner expects.
 */
export const isInScope = `((select current_setting('${workspacesSetting}', true)) = '${everyWorkspace}'
  or strpos((select current_setting('${workspacesSetting}', true)), ',' || workspace_id || ',') > 0)`;

/** {@link isInScope}, evaluated for each row: cheaper for a statement that writes one. */
export const isInScopeOfRow = `(current_setting('${workspacesSetting}', true) = '${everyWorkspace}'
  or strpos(current_setting('${workspacesSetting}', true), ',' || workspace_id || ',') > 0)`;

/**
 * Tables of workspaces that have no policy yet. The owner of a table with texts or boxes to search
 * reads it through a view, because the operators of these indexes are not leakproof: with a policy,
 * a search could not use them.
 */
const tablesWithoutPolicy = `select quote_ident(pg_class.relname) as name,
    exists (select 1 from pg_attribute where attrelid = pg_class.oid
      and atttypid = 'tsvector'::regtype and not attisdropped)
    or exists (select 1 from pg_index join pg_class as used on used.oid = indexrelid
      join pg_am on pg_am.oid = used.relam
      where indrelid = pg_class.oid and amname = 'gist') as "hasView"
  from pg_class
  where pg_class.relnamespace = current_schema()::regnamespace and pg_class.relkind in ('r', 'p')
    and not exists (select 1 from pg_policy where polrelid = pg_class.oid)
    and exists (select 1 from pg_attribute where attrelid = pg_class.oid
      and attname = 'workspace_id' and not attisdropped)
  order by 1`;

/** Gives each table that has a column `workspace_id` its policy. */
export async function secureTables(session: Session): Promise<void> {
  const { rows } = await session.execute(tablesWithoutPolicy, []);
  for (const { name, hasView } of rows) {
    const table = String(name);
    await session.execute(`alter table ${table} enable row level security`, []);
    if (hasView !== true) {
      await session.execute(`alter table ${table} force row level security`, []);
    }
    await session.execute(
      `create policy svc_workspaces on ${table} using ${isInScope} with check ${isInScope}`,
      [],
    );
  }
}

/** The rights of the role that the platform's URL names. */
interface OwnRole {
  readonly name: string;
  /** A superuser, or a role with BYPASSRLS. */
  readonly bypasses: boolean;
  /** True if the role for the statements exists. */
  readonly exists: boolean;
  /** True if it may take that role. */
  readonly isMember: boolean;
}

/**
 * The role for the platform's statements; undefined where those of the URL's role are under the
 * policies too, which holds for an owner but for the tables with texts to search. Refuses a role
 * that bypasses the policies and may not take another one.
 */
export async function roleForStatements(session: Session): Promise<string | undefined> {
  const { rows } = await session.execute(ownRole, []);
  const own = rows[0] as OwnRole | undefined;
  if (own === undefined || !(own.bypasses || own.isMember)) return undefined;
  await session.execute("savepoint role_for_statements", []);
  try {
    if (!own.exists) await session.execute(createRole, []);
    const lacking = await session.execute(lacksRights, []);
    if (lacking.rows[0]?.["lacks"] !== false) {
      for (const grant of grants) await session.execute(grant, []);
    }
    await session.execute(`set local role ${applicationRole}`, []);
    await session.execute("reset role", []);
    return applicationRole;
  } catch (error) {
    await session.execute("rollback to savepoint role_for_statements", []);
    if (!own.bypasses) return undefined;
    throw new StorageError(
      `Cannot use a PostgreSQL role that bypasses row-level security: expected one without ` +
        `BYPASSRLS, or "create role ${applicationRole}; ` +
        `grant ${applicationRole} to ${own.name}" by the server's administrator`,
      { cause: error },
    );
  }
}

/** Advice to an operator whose role owns the tables and also runs the statements. */
export const unsecuredOwner =
  "the role of the database's URL owns search_entries, whose policy does not hold for its owner. " +
  `Let the server's administrator run "create role ${applicationRole}; ` +
  `grant ${applicationRole} to" that role, and restart`;

const ownRole = `select quote_ident(own.rolname) as name,
    own.rolsuper or own.rolbypassrls as bypasses, other.oid is not null as exists,
    coalesce(pg_has_role(own.oid, other.oid, 'member'), false) as "isMember"
  from pg_roles as own left join pg_roles as other on other.rolname = '${applicationRole}'
  where own.rolname = current_user`;

/** Platforms on other databases of the server may make it at the same time. */
const createRole = `do $$ begin create role ${applicationRole} nologin nobypassrls;
  exception when duplicate_object or unique_violation then null; end $$`;

/** A grant writes the row of each table, and every session then reads all of them again. */
const lacksRights = `select
    not has_schema_privilege('${applicationRole}', current_schema(), 'usage')
    or exists (select 1 from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
        and (select count(distinct privilege_type) from aclexplode(relacl)
          where grantee = '${applicationRole}'::regrole
            and privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')) < 4)
    as lacks`;

const grants = [
  `do $$ begin execute format('grant usage on schema %I to ${applicationRole}',
    current_schema()); end $$`,
  `do $$ begin execute format(
    'grant select, insert, update, delete on all tables in schema %I to ${applicationRole}',
    current_schema()); end $$`,
];
