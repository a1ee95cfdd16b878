import type { CreatedKey, KeyCreation, KeyReceipt, ServiceKey } from "#contract/access/keys.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { pointer, Refusal, type Fault } from "#contract/problems.ts";
import type { Role } from "#contract/access/roles.ts";
import { faultAt, invalid } from "../../../kit/faults.ts";
import type { ListCursors } from "../../../kit/lists/cursors.ts";
import { ListPages, madeAt } from "../../../kit/lists/pages.ts";
import { newSecret, tokenDigest } from "../../secrets/service.ts";
import type { AccessService } from "../access.ts";
import { requireStillAdmin } from "../admin-rule.ts";
import { roleFacts } from "../membership.ts";
import type { RoleDefinitions } from "../roles.ts";
import { lockWorkspace } from "../../workspace-lock.ts";
import type { Transaction, Work } from "../../../work/work.ts";
import type { PlatformWork } from "../../../work/works.ts";
import {
  countKeys,
  countOwnKeys,
  deleteOldKeys,
  endKey,
  insertKey,
  keyById,
  keysOf,
  noteKeyUse,
  updateKeyGrant,
  usableKey,
  type KeyRecord,
  type KeyRow,
} from "./store.ts";
import { storedRole } from "../../../work/held-role.ts";

/** Number of working keys of a workspace: more than an admin can tell apart. */
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

type KeyQuery = Pick<ListQuery, "page" | "limit" | "cursor" | "count"> & {
  readonly createdBy?: string | undefined;
};

/**
 * Keys of service accounts: for scripts, scoped to workspaces and a role, without a user. A key is
 * found by the digest of its token, so the database has nothing that a request could be sent with.
 */
export class ServiceKeys {
  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly access: AccessService;
      readonly roles: RoleDefinitions;
      readonly cursors: ListCursors;
      readonly now: () => Date;
    },
  ) {}

  /** The key and its token, which no later answer has. */
  async create(work: Work, workspaceId: string, creation: KeyCreation): Promise<CreatedKey> {
    const now = this.parts.now();
    const expiresAt = endOf(creation, now);
    const workspaces = [...new Set([workspaceId, ...(creation.workspaces ?? [])])];
    if (workspaces.length > 1 && creation.roleDefinitionId !== undefined) {
      throw invalid([
        { pointer: pointer("roleDefinitionId"), detail: "is a role of one workspace only" },
      ]);
    }
    const { caller: createdBy } = work.scope;
    await this.#requireAdmin(createdBy, creation.workspaces ?? []);
    const token = newSecret("serviceKey");
    const at = now.toISOString();
    const key: KeyRecord = {
      workspace_id: workspaceId,
      id: Bun.randomUUIDv7(),
      name: creation.name,
      token_hash: tokenDigest(token),
      created_by: createdBy,
      created_at: at,
      expires_at: expiresAt,
      revoked_at: null,
      last_used_at: null,
    };
    const created = await work.everywhere("grants of all its workspaces").write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      for (const id of workspaces) await requireStillAdmin(tx, id, createdBy);
      const before = new Date(now.getTime() - keptMs).toISOString();
      await deleteOldKeys(tx, workspaceId, before, cleaningLimit);
      if ((await countOwnKeys(tx, workspaceId, at)) >= maximumKeys) {
        throw tooManyKeys();
      }
      const assigned = await this.parts.roles.assigned(tx, workspaceId, creation);
      const { role, definitionId, key: roleKey } = assigned;
      const grant = { key_id: key.id, role, role_definition_id: definitionId, created_at: at };
      const grants = workspaces.map((id) => ({ workspace_id: id, ...grant }));
      await insertKey(tx, key, grants);
      const row = {
        ...key,
        role,
        role_definition_id: definitionId,
        role_key: roleKey,
        has_maker: 1,
      };
      const answer = { key: keyOf(row, now), workspaces };
      const target = { keyId: key.id, name: key.name };
      const after = { role: roleKey ?? role, workspaces, expiresAt };
      tx.note({ target, before: {}, after });
      tx.remember({ ...answer, note: onceWords });
      return answer;
    });
    return { ...created, token };
  }

  /**
   * Makes a key of one workspace for a part of the platform, in the transaction of its caller,
   * which bounds their number. Returns its id, and its token, which the part seals.
   */
  async issue(
    tx: Transaction,
    key: Pick<KeyRecord, "workspace_id" | "name" | "created_by"> & { readonly role: Role },
  ): Promise<{ readonly id: string; readonly token: string }> {
    const { role, ...facts } = key;
    const at = this.parts.now().toISOString();
    await lockWorkspace(tx, key.workspace_id);
    const token = newSecret("serviceKey");
    const id = Bun.randomUUIDv7();
    const ends = { expires_at: null, revoked_at: null, last_used_at: null };
    await insertKey(tx, { ...facts, id, token_hash: tokenDigest(token), created_at: at, ...ends }, [
      {
        workspace_id: key.workspace_id,
        key_id: id,
        role,
        role_definition_id: null,
        created_at: at,
      },
    ]);
    return { id, token };
  }

  /** Gives a key of {@link issue} another role. */
  async regrant(tx: Transaction, workspaceId: string, keyId: string, role: Role): Promise<void> {
    const grant = { workspace_id: workspaceId, key_id: keyId };
    await updateKeyGrant(tx, grant, { role, role_definition_id: null });
  }

  /** Ends a key of {@link issue}. */
  async end(tx: Transaction, workspaceId: string, keyId: string): Promise<void> {
    const key = await keyById(tx, workspaceId, keyId);
    if (key !== undefined)
      await endKey(tx, { workspaceId, key, at: this.parts.now().toISOString() });
  }

  async list(work: Work, workspaceId: string, query: KeyQuery): Promise<ListBody<ServiceKey>> {
    const { read } = work.everywhere("keys that other workspaces own");
    const now = this.parts.now();
    const keys = { workspaceId, createdBy: query.createdBy };
    const maker = query.createdBy === undefined ? [] : [query.createdBy];
    const pages = new ListPages(this.parts.cursors, ["keys", workspaceId, ...maker]);
    const start = pages.start(query);
    const { rows: limit, offset } = start;
    return pages.body(start, {
      rows: await keysOf(read, { ...keys, after: madeAt(start.after), limit, offset }),
      itemOf: (row) => keyOf(row, now),
      positionOf: (row) => [row.created_at, row.id],
      total: query.count === true ? await countKeys(read, keys) : undefined,
    });
  }

  /** Changes the role in this workspace; in others the key keeps its role. */
  async setRole(
    work: Work,
    workspaceId: string,
    keyId: string,
    choice: RoleChoice,
  ): Promise<ServiceKey> {
    const wide = work.everywhere("keys that other workspaces own");
    const row = await wide.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      await requireStillAdmin(tx, workspaceId, work.scope.caller);
      const present = await keyById(tx, workspaceId, keyId);
      if (present === undefined || present.revoked_at !== null) throw noSuchKey();
      const { role, definitionId, key } = await this.parts.roles.assigned(tx, workspaceId, choice);
      const grant = { workspace_id: workspaceId, key_id: keyId };
      await updateKeyGrant(tx, grant, { role, role_definition_id: definitionId });
      tx.note({
        target: { keyId, name: present.name },
        before: { role: present.role_key ?? present.role },
        after: { role: key ?? role },
      });
      return (await keyById(tx, workspaceId, keyId)) ?? present;
    });
    return keyOf(row, this.parts.now());
  }

  async revoke(work: Work, workspaceId: string, keyId: string): Promise<KeyReceipt> {
    return work.everywhere("keys that other workspaces own").write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const present = await keyById(tx, workspaceId, keyId);
      if (present === undefined) throw noSuchKey();
      tx.note({
        target: { keyId, name: present.name },
        before: { role: present.role_key ?? present.role },
        after: {},
      });
      const at = this.parts.now().toISOString();
      return { keyId, status: await endKey(tx, { workspaceId, key: present, at }) };
    });
  }

  /** The key of a token, and notes its use; undefined for a token that is not valid. */
  async find(token: string): Promise<KeyRecord | undefined> {
    const { platformWork, now } = this.parts;
    const work = platformWork("the key of a token, and its use");
    const key = await usableKey(work.read, { hash: tokenDigest(token) });
    if (key === undefined) return undefined;
    const at = now();
    const lastUsedMs = key.last_used_at === null ? 0 : Date.parse(key.last_used_at);
    if (at.getTime() - lastUsedMs >= usePrecisionMs && !isEnded(key, at)) {
      // A full disk must not refuse a request that only reads.
      await work.write((tx) => noteKeyUse(tx, key.id, at.toISOString())).catch(() => undefined);
    }
    return key;
  }

  /** A stranger to a workspace gets the same fault as for one that does not exist. */
  async #requireAdmin(oid: string, workspaces: readonly string[]): Promise<void> {
    const faults: Fault[] = [];
    for (const [at, id] of workspaces.entries()) {
      const held = await this.parts.access.heldIn(id, oid);
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
    ...(Number(row.has_maker) === 0 ? { makerRemoved: true } : {}),
    created_at: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}

function tooManyKeys(): Refusal {
  return new Refusal("conflict", {
    detail: `Cannot create another key: a workspace has at most ${maximumKeys}. Revoke one first`,
  });
}

function noSuchKey(): Refusal {
  return new Refusal("not-found", { detail: "This workspace has no such key" });
}
