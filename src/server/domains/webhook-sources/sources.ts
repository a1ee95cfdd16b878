import type {
  ArchivedSource,
  SourceChanges,
  SourceCreation,
  SourceReceipt,
  SourceRotation,
  SourceScheme,
  WebhookSource,
  WebhookSourceSecret,
} from "#contract/events/webhook-sources.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import { roleIncludes, type Role } from "#contract/access/roles.ts";
import { invalid } from "../../kit/faults.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages, madeAt } from "../../kit/lists/pages.ts";
import type { Transaction, Work } from "../../work/work.ts";
import type { WorkspaceScope } from "../../work/caller.ts";
import { requireStillAdmin, type ServiceKeys } from "../members/service.ts";
import { lockWorkspace } from "../workspace-lock.ts";
import { earlierSecrets, newSecret, randomToken, type Secrets } from "../secrets/service.ts";
import {
  countSources,
  deleteSource,
  hasSource,
  insertSource,
  sourceOf,
  sourcesOf,
  updateSource,
  type SourceRecord,
  type SourceRow,
} from "./store.ts";
import { formerOf, isUsable, sourceAnswer } from "./wire.ts";

const maximumSources = 100;
const dayMs = 24 * 60 * 60 * 1000;
const onceWords = "The secret was in the first answer only: rotate it to get another one";

/** The workspace of a request, and the URL by which the caller reaches the platform. */
export interface SourceScope {
  readonly workspace: WorkspaceScope;
  readonly baseUrl: string;
}

/** Sources of a workspace. Each has a key of a service account, by whose rights its calls act. */
export class Sources {
  constructor(
    private readonly parts: {
      readonly keys: Pick<ServiceKeys, "issue" | "regrant" | "end">;
      readonly secrets: Secrets;
      readonly cursors: ListCursors;
      readonly now: () => Date;
    },
  ) {}

  async list(
    { read }: Work,
    { workspace: { id: workspaceId }, baseUrl }: SourceScope,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
  ): Promise<ListBody<WebhookSource>> {
    const pages = new ListPages(this.parts.cursors, ["webhook sources", workspaceId]);
    const start = pages.start(query);
    const { rows: limit, offset } = start;
    const now = this.parts.now();
    return pages.body(start, {
      rows: await sourcesOf(read, { workspaceId, after: madeAt(start.after), limit, offset }),
      itemOf: (row) => sourceAnswer(row, baseUrl, now),
      positionOf: (row) => [row.created_at, row.id],
      total: query.count === true ? await countSources(read, workspaceId) : undefined,
    });
  }

  async get(
    { read }: Work,
    { workspace, baseUrl }: SourceScope,
    id: string,
  ): Promise<WebhookSource> {
    const row = required(await sourceOf(read, workspace.id, id));
    return sourceAnswer(row, baseUrl, this.parts.now());
  }

  async create(
    work: Work,
    { workspace, baseUrl }: SourceScope,
    creation: SourceCreation,
  ): Promise<WebhookSourceSecret> {
    requireRole(workspace, creation.role);
    const { name, scheme, mapping, role } = creation;
    const { caller: createdBy } = work.scope;
    const id = randomToken();
    const secret = creation.secret ?? newSourceSecret(scheme);
    requireFitting(scheme, secret);
    const now = this.parts.now();
    const at = now.toISOString();
    const answer = await work.write(async (tx) => {
      await requireStillAdmin(tx, workspace.id, createdBy);
      await requireRoom(tx, workspace.id);
      const key = await this.#issue(tx, { workspace, name, role, createdBy });
      const row: SourceRecord = {
        workspace_id: workspace.id,
        id,
        name,
        scheme: JSON.stringify(scheme),
        mapping,
        state: "active",
        key_id: key.id,
        key_token: this.#seal(id, "key", key.token),
        secret: this.#seal(id, "secret", secret),
        former_secret: null,
        former_until: null,
        earlier_secrets: null,
        created_by: createdBy,
        created_at: at,
        updated_at: at,
      };
      await insertSource(tx, row);
      tx.note({ target: { source: id, name }, before: {}, after: { role, scheme: scheme.type } });
      const made = sourceAnswer({ ...row, role }, baseUrl, now);
      tx.remember({ ...made, note: onceWords });
      return made;
    });
    return { ...answer, secret };
  }

  /**
   * Makes a source of an archive: disabled, with its own address and a secret that no sender
   * knows. False where the workspace has a source of this name and time.
   */
  async storeArchived(work: Work, workspaceId: string, source: ArchivedSource): Promise<boolean> {
    const { name, scheme, mapping, created_at } = source;
    const id = randomToken();
    return work.write(async (tx) => {
      if (await hasSource(tx, workspaceId, { name, created_at })) return false;
      await requireRoom(tx, workspaceId);
      await insertSource(tx, {
        workspace_id: workspaceId,
        id,
        name,
        scheme: JSON.stringify(scheme),
        mapping,
        state: imported,
        // A key is issued when the source is enabled.
        key_id: Bun.randomUUIDv7(),
        key_token: this.#seal(id, "key", randomToken()),
        secret: this.#seal(id, "secret", newSourceSecret(scheme)),
        former_secret: null,
        former_until: null,
        earlier_secrets: null,
        created_by: work.scope.caller,
        created_at,
        updated_at: this.parts.now().toISOString(),
      });
      return true;
    });
  }

  async update(
    work: Work,
    { workspace, baseUrl }: SourceScope,
    id: string,
    changes: SourceChanges,
  ): Promise<WebhookSource> {
    if (changes.role !== undefined) requireRole(workspace, changes.role);
    const { caller } = work.scope;
    const { name, scheme, mapping, role, enabled } = changes;
    return work.write(async (tx) => {
      await requireStillAdmin(tx, workspace.id, caller);
      await lockWorkspace(tx, workspace.id);
      const before = required(await sourceOf(tx, workspace.id, id));
      if (enabled === true) requireConfirmed(before);
      if (scheme !== undefined) requireFitting(scheme, this.secretsOf(before)[0] ?? "");
      const isRevived = enabled === true && before.role === null;
      // The admin who gives a role answers for it, as a maker who was demoted no longer can.
      const isTaken = role !== undefined && before.created_by !== caller;
      if (isTaken) await this.parts.keys.end(tx, workspace.id, before.key_id);
      const key =
        isRevived || isTaken
          ? await this.#issue(tx, {
              workspace,
              name: name ?? before.name,
              role: role ?? "tenant-staff",
              createdBy: caller,
            })
          : undefined;
      if (key === undefined && role !== undefined) {
        await this.parts.keys.regrant(tx, workspace.id, before.key_id, role);
      }
      await updateSource(tx, before, {
        name: name ?? before.name,
        scheme: scheme === undefined ? before.scheme : JSON.stringify(scheme),
        mapping: mapping ?? before.mapping,
        state: enabled === undefined ? before.state : enabled ? "active" : "disabled",
        ...(key === undefined
          ? {}
          : { key_id: key.id, key_token: this.#seal(id, "key", key.token), created_by: caller }),
        updated_at: this.parts.now().toISOString(),
      });
      const after = required(await sourceOf(tx, workspace.id, id));
      const factsOf = (row: SourceRow) => ({
        name: row.name,
        role: row.role,
        scheme: row.scheme,
        status: isUsable(row) ? "active" : "disabled",
      });
      tx.note({ target: { source: id }, before: factsOf(before), after: factsOf(after) });
      return sourceAnswer(after, baseUrl, this.parts.now());
    });
  }

  async remove(work: Work, { workspace }: SourceScope, id: string): Promise<SourceReceipt> {
    return work.write(async (tx) => {
      await lockWorkspace(tx, workspace.id);
      const row = required(await sourceOf(tx, workspace.id, id));
      await this.parts.keys.end(tx, workspace.id, row.key_id);
      await deleteSource(tx, row);
      tx.note({ target: { source: id, name: row.name }, before: { role: row.role }, after: {} });
      return { source: id, status: "deleted" };
    });
  }

  /** Each former secret works until the end of its grace; none does after one without a grace. */
  async rotate(
    work: Work,
    { workspace, baseUrl }: SourceScope,
    id: string,
    rotation: SourceRotation,
  ): Promise<WebhookSourceSecret> {
    const now = this.parts.now();
    const until = new Date(now.getTime() + rotation.graceDays * dayMs).toISOString();
    const rotated = await work.write(async (tx) => {
      await lockWorkspace(tx, workspace.id);
      const before = required(await sourceOf(tx, workspace.id, id));
      const scheme = JSON.parse(before.scheme) as SourceScheme;
      const secret = rotation.secret ?? newSourceSecret(scheme);
      requireFitting(scheme, secret);
      const [present = ""] = this.secretsOf(before);
      const isImported = before.state === imported;
      const isKept = rotation.graceDays > 0 && !isImported;
      const former = isKept ? this.#seal(id, "former secret", present) : null;
      const changes = {
        ...(isImported ? { state: "disabled" } : {}),
        secret: this.#seal(id, "secret", secret),
        former_secret: former,
        former_until: isKept ? until : null,
        earlier_secrets: former === null ? null : earlierSecrets(former, formerOf(before, now)),
        updated_at: now.toISOString(),
      };
      await updateSource(tx, before, changes);
      tx.note({ target: { source: id }, before: {}, after: { rotatesUntil: until } });
      const answer = sourceAnswer({ ...before, ...changes }, baseUrl, now);
      tx.remember({ ...answer, note: onceWords });
      return { answer, secret };
    });
    return { ...rotated.answer, secret: rotated.secret };
  }

  /** The secrets that are accepted now, the present one first. */
  secretsOf(row: SourceRecord): string[] {
    const { id, secret } = row;
    const present = this.parts.secrets.unseal(sealName(id, "secret"), secret);
    const former = formerOf(row, this.parts.now());
    const name = sealName(id, "former secret");
    return [present, ...former.map((each) => this.parts.secrets.unseal(name, each.secret))];
  }

  /** The token of the key by whose rights the calls of a source act. */
  tokenOf({ id, key_token: token }: SourceRecord): string {
    return this.parts.secrets.unseal(sealName(id, "key"), token);
  }

  #issue(
    tx: Transaction,
    source: {
      readonly workspace: WorkspaceScope;
      readonly name: string;
      readonly role: Role;
      readonly createdBy: string;
    },
  ) {
    return this.parts.keys.issue(tx, {
      workspace_id: source.workspace.id,
      name: `webhook source ${source.name}`.slice(0, 100),
      role: source.role,
      created_by: source.createdBy,
    });
  }

  #seal(id: string, part: SealedPart, text: string): string {
    return this.parts.secrets.seal(sealName(id, part), text);
  }
}

/** The state of a source of an archive, until its secret is rotated. */
const imported = "imported";

/** 409 for a source of an archive whose secret no sender knows. */
function requireConfirmed({ state }: Pick<SourceRow, "state">): void {
  if (state !== imported) return;
  throw new Refusal("conflict", {
    detail:
      "Cannot enable this source of an archive: first rotate its secret, and give its sender both the secret and the new URL",
  });
}

async function requireRoom(tx: Transaction, workspaceId: string): Promise<void> {
  await lockWorkspace(tx, workspaceId);
  if ((await countSources(tx, workspaceId)) < maximumSources) return;
  throw new Refusal("conflict", {
    detail: `Cannot create another source: a workspace has at most ${maximumSources}. Delete one first`,
  });
}

type SealedPart = "key" | "secret" | "former secret";

function sealName(id: string, part: SealedPart): string {
  return `webhook source ${part} ${id}`;
}

/** A new secret of a sender; Standard Webhooks has it in base64 after `whsec_`. */
function newSourceSecret({ type }: SourceScheme): string {
  return type === "standard" ? newSecret("webhookSecret") : randomToken();
}

function requireFitting({ type }: SourceScheme, secret: string): void {
  if (type !== "standard") return;
  const isFitting = /^whsec_[A-Za-z0-9+/]+=*$/.test(secret);
  const length = isFitting ? Buffer.from(secret.slice(6), "base64").length : 0;
  if (length >= 24 && length <= 64) return;
  const detail = "must be whsec_ and 24 to 64 bytes in base64 for the scheme standard";
  throw invalid([{ pointer: pointer("secret"), detail }]);
}

function requireRole(workspace: WorkspaceScope, role: Role): void {
  if (roleIncludes(workspace.role, role)) return;
  throw invalid([{ pointer: pointer("role"), detail: "must not be higher than your own role" }]);
}

export function required<Row>(row: Row | undefined): Row {
  if (row !== undefined) return row;
  throw new Refusal("not-found", { detail: "This workspace has no such webhook source or call" });
}
