import type { CreatedKey, KeyCreation, KeyReceipt, ServiceKey } from "#contract/keys.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { pointer, Refusal, type Fault } from "#contract/problems.ts";
import { serviceKeyPrefix } from "#contract/sign-in.ts";
import type { Role } from "#contract/roles.ts";
import type { Database } from "../../../database/database.ts";
import { faultAt, invalid } from "../../../http/faults.ts";
import type { Principal } from "../../../http/handler.ts";
import type { ListCursors } from "../../../http/lists/cursors.ts";
import { ListPages, madeAt } from "../../../http/lists/pages.ts";
import { randomToken, tokenDigest } from "../../secrets/service.ts";
import type { AccessService } from "../access.ts";
import { roleFacts, storedRole } from "../membership.ts";
import type { Remember, RoleDefinitions } from "../roles.ts";
import { lockWorkspace } from "../store.ts";
import { noteChange } from "../../../kit/change-note.ts";
import {
  countKeys,
  deleteKeyGrant,
  deleteOldKeys,
  insertKey,
  keyById,
  keysOf,
  updateKey,
  updateKeyGrant,
  usableKey,
  type KeyRecord,
  type KeyRow,
} from "./store.ts";

/** Keys of one workspace that work: more than an admin can tell apart. */
const maximumKeys = 100;
/** Ended keys stay in the list this long. */
const keptMs = 90 * 24 * 60 * 60 * 1000;
const cleaningLimit = 500;
const usePrecisionMs = 60_000;
const onceWords = "The token was in the first answer only: revoke this key and create another one";

interface RoleChoice {
  readonly role?: Role | undefined;
  readonly roleDefinitionId?: string | undefined;
}

/**
 * Keys of service accounts: for scripts, scoped to workspaces and a role, without a user. A key is
 * found by the digest of its token, so the database has nothing that a request could be sent with.
 */
export class ServiceKeys {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly access: AccessService;
      readonly roles: RoleDefinitions;
      readonly cursors: ListCursors;
      readonly now: () => Date;
    },
  ) {}

  async create(
    principal: Principal,
    workspaceId: string,
    creation: KeyCreation,
    remember: Remember<CreatedKey>,
  ): Promise<CreatedKey> {
    const now = this.parts.now();
    const expiresAt = endOf(creation, now);
    const workspaces = [...new Set([workspaceId, ...(creation.workspaces ?? [])])];
    if (workspaces.length > 1 && creation.roleDefinitionId !== undefined) {
      throw invalid([
        { pointer: pointer("roleDefinitionId"), detail: "is a role of one workspace only" },
      ]);
    }
    await this.#requireAdmin(principal, creation.workspaces ?? []);
    const token = `${serviceKeyPrefix}${randomToken()}`;
    const at = now.toISOString();
    const key: KeyRecord = {
      workspace_id: workspaceId,
      id: Bun.randomUUIDv7(),
      name: creation.name,
      token_hash: tokenDigest(token),
      created_by: principal.oid,
      created_at: at,
      expires_at: expiresAt,
      revoked_at: null,
      last_used_at: null,
    };
    const created = await this.parts.database.write(async (writer) => {
      await lockWorkspace(writer, workspaceId);
      const before = new Date(now.getTime() - keptMs).toISOString();
      await deleteOldKeys(writer, workspaceId, before, cleaningLimit);
      if ((await countKeys(writer, workspaceId, at)) >= maximumKeys) {
        throw new Refusal("conflict", {
          detail: `Cannot create another key: a workspace has at most ${maximumKeys}. Revoke one first`,
        });
      }
      const {
        role,
        definitionId,
        key: roleKey,
      } = await this.parts.roles.assigned(writer, workspaceId, creation);
      const grant = { key_id: key.id, role, role_definition_id: definitionId, created_at: at };
      await insertKey(
        writer,
        key,
        workspaces.map((id) => ({ workspace_id: id, ...grant })),
      );
      const row = { ...key, role, role_definition_id: definitionId, role_key: roleKey };
      const answer = { key: keyOf(row, now), workspaces };
      const target = { keyId: key.id, name: key.name };
      const after = { role: roleKey ?? role, workspaces, expiresAt };
      noteChange({ target, before: {}, after });
      remember({ ...answer, note: onceWords });
      return answer;
    });
    this.parts.access.forgetKeys();
    return { ...created, token };
  }

  async list(
    workspaceId: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
  ): Promise<ListBody<ServiceKey>> {
    const { read } = this.parts.database;
    const now = this.parts.now();
    const pages = new ListPages(this.parts.cursors, ["keys", workspaceId]);
    const start = pages.start(query);
    const { rows: limit, offset } = start;
    return pages.body(start, {
      rows: await keysOf(read, { workspaceId, after: madeAt(start.after), limit, offset }),
      itemOf: (row) => keyOf(row, now),
      positionOf: (row) => [row.created_at, row.id],
      total: query.count === true ? await countKeys(read, workspaceId) : undefined,
    });
  }

  /** The role in this workspace; in others the key keeps its role. */
  async setRole(workspaceId: string, keyId: string, choice: RoleChoice): Promise<ServiceKey> {
    const row = await this.parts.database.write(async (writer) => {
      await lockWorkspace(writer, workspaceId);
      const present = await keyById(writer, workspaceId, keyId);
      if (present === undefined || present.revoked_at !== null) throw noSuchKey();
      const assigned = await this.parts.roles.assigned(writer, workspaceId, choice);
      const { role, definitionId, key } = assigned;
      const grant = { workspace_id: workspaceId, key_id: keyId };
      await updateKeyGrant(writer, grant, { role, role_definition_id: definitionId });
      noteChange({
        target: { keyId, name: present.name },
        before: { role: present.role_key ?? present.role },
        after: { role: key ?? role },
      });
      return (await keyById(writer, workspaceId, keyId)) ?? present;
    });
    this.parts.access.forgetKeys();
    return keyOf(row, this.parts.now());
  }

  /** The owner ends the key; another workspace ends its access to itself. */
  async revoke(workspaceId: string, keyId: string): Promise<KeyReceipt> {
    const receipt = await this.parts.database.write(async (writer): Promise<KeyReceipt> => {
      await lockWorkspace(writer, workspaceId);
      const present = await keyById(writer, workspaceId, keyId);
      if (present === undefined) throw noSuchKey();
      noteChange({
        target: { keyId, name: present.name },
        before: { role: present.role_key ?? present.role },
        after: {},
      });
      if (present.workspace_id !== workspaceId) {
        await deleteKeyGrant(writer, { workspace_id: workspaceId, key_id: keyId });
        return { keyId, status: "removed" };
      }
      if (present.revoked_at === null) {
        await updateKey(writer, keyId, { revoked_at: this.parts.now().toISOString() });
      }
      return { keyId, status: "revoked" };
    });
    this.parts.access.forgetKeys();
    return receipt;
  }

  /** The key of a token, and notes its use; undefined for a token that is not valid. */
  async find(token: string): Promise<KeyRecord | undefined> {
    const { database, now } = this.parts;
    const key = await usableKey(database.read, { hash: tokenDigest(token) });
    if (key === undefined) return undefined;
    const at = now();
    const lastUsedMs = key.last_used_at === null ? 0 : Date.parse(key.last_used_at);
    if (at.getTime() - lastUsedMs >= usePrecisionMs && !isEnded(key, at)) {
      // A full disk must not refuse a request that only reads.
      await database
        .write((writer) => updateKey(writer, key.id, { last_used_at: at.toISOString() }))
        .catch(() => undefined);
    }
    return key;
  }

  /** A stranger to a workspace gets the same fault as for one that does not exist. */
  async #requireAdmin(principal: Principal, workspaces: readonly string[]): Promise<void> {
    const faults: Fault[] = [];
    for (const [at, id] of workspaces.entries()) {
      const held = await this.parts.access.heldIn(id, principal.oid);
      if (held?.role === "tenant-admin") continue;
      faults.push(
        faultAt("body", ["workspaces", String(at)], "is no workspace that you administer"),
      );
    }
    if (faults.length > 0) throw invalid(faults);
  }
}

function endOf({ expiresAt }: KeyCreation, now: Date): string | null {
  if (expiresAt === undefined) return null;
  const end = new Date(expiresAt);
  if (end > now) return end.toISOString();
  throw invalid([{ pointer: pointer("expiresAt"), detail: "must be in the future" }]);
}

function isEnded({ expires_at: end }: Pick<KeyRecord, "expires_at">, now: Date): boolean {
  return end !== null && end <= now.toISOString();
}

function keyOf(row: KeyRow, now: Date): ServiceKey {
  const status = row.revoked_at !== null ? "revoked" : isEnded(row, now) ? "expired" : "active";
  return {
    keyId: row.id,
    name: row.name,
    role: storedRole(row.role),
    ...roleFacts(row.role_definition_id, row.role_key),
    homeTenantId: row.workspace_id,
    status,
    created_by: row.created_by,
    created_at: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}

function noSuchKey(): Refusal {
  return new Refusal("not-found", { detail: "This workspace has no such key" });
}
