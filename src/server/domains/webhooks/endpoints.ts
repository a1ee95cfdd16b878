import type {
  ArchivedEndpoint,
  EndpointChanges,
  EndpointCreation,
  EndpointReceipt,
  WebhookEndpoint,
  WebhookEndpointSecret,
} from "#contract/events/webhooks.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import type { Reader } from "../../database/database.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import { madeAt, ListPages } from "../../kit/lists/pages.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { AddressError, checkedUrl } from "../../kit/outbound/checked-address.ts";
import type { Transaction, Work } from "../../work/work.ts";
import { lockWorkspace } from "../workspace-lock.ts";
import { endpointOf, filterColumns, filterOf, type EndpointFilter } from "./endpoint-wire.ts";
import { formerColumns, noFormer, type EndpointSecrets } from "./signing/endpoint-secrets.ts";
import type { EventSource } from "./event-source.ts";
import { reportEndpoint } from "./outcomes.ts";
import { newSigningPair, type NewSigningPair } from "./signing/signature.ts";
import {
  countEndpoints,
  deleteEndpoint,
  endpointById,
  endpointsOf,
  insertEndpoint,
  lockEndpoint,
  updateEndpoint,
  type EndpointKey,
  type EndpointRecord,
} from "./store.ts";
import { storedRole } from "../../work/held-role.ts";

/** The most endpoints of one workspace. */
const maximumEndpoints = 50;
/** A temporary endpoint ends this long after its last pull. */
export const temporaryMs = 5 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
const onceWords = "The secret was in the first answer only: rotate it for a new one";
/** Kinds of events that only an administrator may read. */
const administered: ReadonlySet<string> = new Set(["member", "role"]);

/** True for an alert rule of the workspace whose alerts are for a role. */
export type RuleTest = (reader: Reader, workspaceId: string, id: string) => Promise<boolean>;

export interface EndpointParts {
  readonly events: EventSource;
  readonly endpointSecrets: EndpointSecrets;
  readonly cursors: ListCursors;
  /** Hosts that may have an address that is not public. */
  readonly allowedHosts: ReadonlySet<string>;
  readonly isRuleOfRole: RuleTest;
  /** Called after an endpoint has become active. */
  readonly onActive: (workspaceId: string) => void;
  readonly now: () => Date;
}

/** The endpoints of a workspace that receive its changes. */
export class WebhookEndpoints {
  constructor(private readonly parts: EndpointParts) {}

  async list(
    { read }: Work,
    workspaceId: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count"> & {
      readonly createdBy?: string | undefined;
    },
  ): Promise<ListBody<WebhookEndpoint>> {
    const wish = { workspaceId, createdBy: query.createdBy };
    const pages = new ListPages(this.parts.cursors, ["webhook endpoints", ...Object.values(wish)]);
    const start = pages.start(query);
    const { rows: limit, offset } = start;
    return pages.body(start, {
      rows: await endpointsOf(read, { ...wish, after: madeAt(start.after), limit, offset }),
      itemOf: (row) => endpointOf(row, this.parts.now()),
      positionOf: (row) => [row.created_at, row.id],
      total: query.count === true ? await countEndpoints(read, wish) : undefined,
    });
  }

  async get({ read }: Work, workspaceId: string, id: string): Promise<WebhookEndpoint> {
    const row = await endpointById(read, workspaceId, id);
    if (row === undefined) throw new Refusal("not-found");
    return endpointOf(row, this.parts.now());
  }

  /** Creates an endpoint that receives the changes from now on. */
  async create(
    work: Work,
    workspaceId: string,
    request: EndpointCreation,
  ): Promise<WebhookEndpointSecret> {
    const { kinds = null, types = null, where = null, rules = null } = request;
    const filter = { kinds, types, where, rules };
    await this.#check(work, workspaceId, { ...request, ...filter });
    const pair = newSigningPair();
    const position = await this.parts.events.position(work, workspaceId);
    return work.write(async (tx) => {
      const row = this.#newRow({ workspace_id: workspaceId, id: Bun.randomUUIDv7() }, request, {
        ...filterColumns(filter),
        position,
        pair,
        createdBy: work.scope.caller,
      });
      await insertCounted(tx, row);
      reportEndpoint(tx, row, "created");
      tx.afterCommit(() => this.parts.onActive(workspaceId));
      const answer = this.#shown(row);
      tx.note({ target: { endpointId: row.id }, after: factsOf(row) });
      tx.remember({ ...answer, note: onceWords }, { status: 201 });
      return { ...answer, secret: pair.secret };
    });
  }

  /**
   * Makes an endpoint of an archive: disabled, without an address, and with a secret that no answer
   * shows. False where its id is taken; refuses what {@link create} refuses.
   */
  async storeArchived(work: Work, key: EndpointKey, settings: ArchivedEndpoint): Promise<boolean> {
    const { workspace_id: workspaceId, id } = key;
    const { kinds = null, types = null, where = null, rules = null } = settings;
    const filter = { kinds, types, where };
    // The archive has its rules after its endpoints.
    await this.#check(work, workspaceId, { ...settings, ...filter, rules: null });
    const position = await this.parts.events.position(work, workspaceId);
    return work.write(async (tx) => {
      if ((await endpointById(tx, workspaceId, id)) !== undefined) return false;
      const made = this.#newRow(
        key,
        { ...settings, temporary: false },
        {
          ...filterColumns({ ...filter, rules }),
          position,
          pair: newSigningPair(),
          createdBy: work.scope.caller,
        },
      );
      const row = { ...made, state: "disabled", disabled_reason: imported };
      await insertCounted(tx, row);
      reportEndpoint(tx, row, "created");
      return true;
    });
  }

  async update(
    work: Work,
    workspaceId: string,
    id: string,
    request: EndpointChanges,
  ): Promise<WebhookEndpoint> {
    const present = await endpointById(work.read, workspaceId, id);
    if (present === undefined) throw new Refusal("not-found");
    if (request.url !== undefined && present.expires_at !== null) {
      throw invalid([faultAt("body", ["url"], "a temporary endpoint has none")]);
    }
    const before = filterOf(present);
    const filter = {
      kinds: request.kinds === undefined ? before.kinds : request.kinds,
      types: request.types === undefined ? before.types : request.types,
      where: request.where === undefined ? before.where : request.where,
      rules: request.rules === undefined ? before.rules : request.rules,
    };
    const { role = present.role, url } = request;
    await this.#check(work, workspaceId, { ...filter, role, url });
    return this.#change(work, workspaceId, id, (row) => ({
      ...filterColumns(filter),
      url: url ?? row.url,
      description: request.description ?? row.description,
      body: request.body ?? row.body,
      role,
      is_ordered: request.ordered === undefined ? row.is_ordered : Number(request.ordered),
      ...(request.enabled === undefined ? {} : stateOf(request.enabled)),
    }));
  }

  async remove(work: Work, workspaceId: string, id: string): Promise<EndpointReceipt> {
    await work.write(async (tx) => {
      const row = await requireEndpoint(tx, workspaceId, id);
      await deleteEndpoint(tx, row);
      reportEndpoint(tx, row, "deleted");
      tx.note({ target: { endpointId: id }, before: factsOf(row) });
    });
    return { id, status: "deleted" };
  }

  enable(work: Work, workspaceId: string, id: string): Promise<WebhookEndpoint> {
    return this.#change(work, workspaceId, id, () => ({ ...stateOf(true), failures: 0 }));
  }

  /**
   * Makes a new secret and key. Each former one signs until its grace ends, and none signs after a
   * rotation without a grace. An endpoint of an archive has no former ones, and receives the
   * changes from now on.
   */
  async rotate(
    work: Work,
    workspaceId: string,
    id: string,
    graceDays: number,
  ): Promise<WebhookEndpointSecret> {
    const { now, endpointSecrets } = this.parts;
    const pair = newSigningPair();
    const position = await this.parts.events.position(work, workspaceId);
    return work.write(async (tx) => {
      const row = await requireEndpoint(tx, workspaceId, id);
      const at = now();
      const until = new Date(at.getTime() + graceDays * dayMs).toISOString();
      const isImported = row.disabled_reason === imported;
      const isEnded = graceDays === 0 || isImported;
      const former = isEnded ? noFormer : formerColumns(row, at, until);
      const changes = {
        ...(isImported ? { ...stateOf(false), position } : {}),
        ...former,
        ...endpointSecrets.sealed(row, pair),
        updated_at: at.toISOString(),
      };
      await updateEndpoint(tx, row, changes);
      reportEndpoint(tx, row);
      const answer = this.#shown({ ...row, ...changes });
      tx.note({ target: { endpointId: id }, after: { graceDays } });
      tx.remember({ ...answer, note: onceWords });
      return { ...answer, secret: pair.secret };
    });
  }

  async #change(
    work: Work,
    workspaceId: string,
    id: string,
    changesOf: (row: EndpointRecord) => Partial<EndpointRecord>,
  ): Promise<WebhookEndpoint> {
    return work.write(async (tx) => {
      const row = await requireEndpoint(tx, workspaceId, id);
      const changes = changesOf(row);
      if (changes.state === "active") requireConfirmed({ ...row, url: changes.url ?? row.url });
      const changed = { ...row, ...changes, updated_at: this.parts.now().toISOString() };
      const { workspace_id: _workspace, id: _id, position, next_place: _place, ...rest } = changed;
      await updateEndpoint(tx, row, { ...rest, lease_until: null });
      reportEndpoint(tx, row);
      if (changed.state === "active") tx.afterCommit(() => this.parts.onActive(workspaceId));
      tx.note({ target: { endpointId: id }, before: factsOf(row), after: factsOf(changed) });
      const answer = this.#shown({ ...changed, position });
      tx.remember(answer);
      return answer;
    });
  }

  /** Refuses 422 for an address, a filter or kinds that the endpoint cannot have. */
  async #check(
    work: Work,
    workspaceId: string,
    request: EndpointFilter & { readonly url?: string | undefined; readonly role: string },
  ): Promise<void> {
    const { url, kinds, rules } = request;
    const role = storedRole(request.role);
    try {
      if (url !== undefined) checkedUrl(url, this.parts);
    } catch (error) {
      if (!(error instanceof AddressError)) throw error;
      throw invalid([faultAt("body", ["url"], error.message)]);
    }
    const kind = kinds?.findIndex((each) => administered.has(each)) ?? -1;
    if (kind >= 0 && role !== "tenant-admin") {
      const detail = "needs an endpoint with the role tenant-admin";
      throw invalid([faultAt("body", ["kinds", kind], detail)]);
    }
    await this.parts.events.filter({ id: workspaceId, role }, request);
    if (rules !== null) await this.#checkRules(work, workspaceId, { ...request, rules });
  }

  /** Alerts to a person are sent to no endpoint. */
  async #checkRules(
    { read }: Work,
    workspaceId: string,
    { rules, kinds, types, where }: EndpointFilter & { readonly rules: readonly string[] },
  ): Promise<void> {
    const isOfAlerts = kinds === null || kinds.every((each) => each === "alert");
    if (!isOfAlerts || types !== null || where !== null) {
      const detail = "sends alerts alone: leave out types, where and other kinds than alert";
      throw invalid([faultAt("body", ["rules"], detail)]);
    }
    for (const [at, id] of rules.entries()) {
      if (await this.parts.isRuleOfRole(read, workspaceId, id)) continue;
      throw invalid([faultAt("body", ["rules", at], "is not an alert rule for a role")]);
    }
  }

  #newRow(
    key: EndpointKey,
    request: EndpointCreation,
    made: ReturnType<typeof filterColumns> & {
      readonly position: string;
      readonly pair: NewSigningPair;
      readonly createdBy: string;
    },
  ): EndpointRecord {
    const { pair, createdBy, ...columns } = made;
    const { now, endpointSecrets } = this.parts;
    const at = now().toISOString();
    return {
      ...key,
      url: request.url ?? null,
      description: request.description,
      ...columns,
      body: request.body,
      role: request.role,
      is_ordered: Number(request.ordered),
      ...stateOf(true),
      ...endpointSecrets.sealed(key, pair),
      ...noFormer,
      next_place: 1,
      failures: 0,
      last_delivered_at: null,
      last_failed_at: null,
      lease_until: null,
      expires_at: request.temporary ? new Date(now().getTime() + temporaryMs).toISOString() : null,
      created_by: createdBy,
      created_at: at,
      updated_at: at,
    };
  }

  #shown(row: EndpointRecord): WebhookEndpoint {
    return endpointOf(row, this.parts.now());
  }
}

export async function requireEndpoint(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<EndpointRecord> {
  const row = await lockEndpoint(tx, workspaceId, id);
  if (row === undefined) throw new Refusal("not-found");
  return row;
}

/** Why an endpoint of an archive is disabled, until its secret is rotated. */
const imported = "imported";

/** 409 for an endpoint of an archive without an address, or whose secret no program knows. */
function requireConfirmed({ url, expires_at: end, disabled_reason: reason }: EndpointRecord): void {
  const isPulled = url === null && end !== null;
  const missing = [
    ...(url === null && !isPulled ? ["give it a URL"] : []),
    ...(reason === imported ? ["rotate its secret"] : []),
  ];
  if (missing.length === 0) return;
  throw new Refusal("conflict", {
    detail: `Cannot enable this endpoint of an archive: first ${missing.join(" and ")}`,
  });
}

async function insertCounted(tx: Transaction, row: EndpointRecord): Promise<void> {
  const { workspace_id: workspaceId } = row;
  await lockWorkspace(tx, workspaceId);
  if ((await countEndpoints(tx, { workspaceId })) >= maximumEndpoints) {
    throw new Refusal("conflict", {
      detail: `Cannot create another endpoint: a workspace has at most ${maximumEndpoints}. Delete one first`,
    });
  }
  await insertEndpoint(tx, row);
}

function stateOf(isEnabled: boolean): Pick<EndpointRecord, "state" | "disabled_reason"> {
  return isEnabled
    ? { state: "active", disabled_reason: null }
    : { state: "disabled", disabled_reason: "request" };
}

/** The facts of an endpoint for the audit log; the path of a URL may be a secret. */
function factsOf({ url, role, body, state, kinds, types, rules }: EndpointRecord): object {
  const origin = url === null ? null : new URL(url).origin;
  return { origin, role, body, state, kinds, types, rules };
}
