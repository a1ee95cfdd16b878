import type { ListBody, ListQuery } from "#contract/lists.ts";
import type { ChangedKey } from "#contract/access/keys.ts";
import type { Invitation, InvitationRequest, Invited } from "#contract/access/members.ts";
import { Refusal } from "#contract/problems.ts";
import { emailKey } from "#lib/email-address.ts";
import { given } from "#lib/given.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages, madeAt } from "../../kit/lists/pages.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { Logger } from "../../kit/logger.ts";
import type { Mailer } from "../../kit/mail/mail.ts";
import type { Transaction, Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import { userByEmail, userByOid, type IdentityService, type User } from "../identity/service.ts";
import { randomToken, tokenDigest } from "../secrets/service.ts";
import { changeRole, noSuchMember, requireStillAdmin } from "./admin-rule.ts";
import { includeInRules } from "./group-rules/store.ts";
import {
  countPendingInvitations,
  deleteOldInvitations,
  failUnsentMails,
  hasUnsentMails,
  insertInvitation,
  invitationById,
  invitationBySecret,
  pendingInvitations,
  revokePending,
  updateInvitation,
  type InvitationRow,
} from "./invitation-store.ts";
import {
  invitationLink,
  invitationOf,
  invitedOf,
  noted,
  onceWords,
  type OpenInvitation,
} from "./invitation-wire.ts";
import { invitationMail } from "./mail.ts";
import { keyFacts, losesPermissions } from "./keys/made-keys.ts";
import { grantRole, memberOf } from "./membership.ts";
import type { RoleDefinitions } from "./roles.ts";
import { isNeighbour, memberByEmail, memberByOid, workspaceName, type MemberRow } from "./store.ts";
import { lockWorkspace } from "../workspace-lock.ts";
import { storedRole } from "../../work/held-role.ts";

const lifetimeMs = 7 * 24 * 60 * 60 * 1000;
/** Ended invitations are kept this long, so that a late click gets a reason. */
const keptMs = 30 * 24 * 60 * 60 * 1000;
const cleaningIntervalMs = 60 * 60 * 1000;
const cleaningLimit = 1_000;
/** Upper bound for sending a mail; an older pending mail belongs to a stopped process. */
const mailTimeMs = 60_000;
const maximumPending = 10_000;

/**
 * Invitations (spec 4.4): an offer counts only once it is accepted with the secret that only this
 * invitation carried, so an account made by another workspace's admin gets no role. The secret is
 * stored as a digest; an account's address proves nothing.
 */
export class Invitations {
  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly identity: IdentityService;
      readonly roles: RoleDefinitions;
      readonly cursors: ListCursors;
      readonly now: () => Date;
      readonly logger: Logger;
      readonly lifetime: Lifetime;
      /** Undefined without mail: the inviter then passes on a link. */
      readonly mailer: Mailer | undefined;
      /** False when another provider signs users in: then there is no page to accept. */
      readonly hasPages: boolean;
    },
  ) {
    parts.lifetime.every(cleaningIntervalMs, "invitation-cleaning-failed", () => this.clean());
    parts.lifetime.every(mailTimeMs, "invitation-mails-failed", () => this.#failMails(mailTimeMs));
  }

  /** Notes at the start which mails a stopped process did not send. */
  recover(): Promise<void> {
    // On PostgreSQL another platform may be sending.
    const { dialect } = this.parts.platformWork("unsent mails").read;
    return this.#failMails(dialect === "sqlite" ? 0 : mailTimeMs);
  }

  /** Gives the member with this address the role, if one is named; invites another address. */
  async invite(
    work: Work,
    workspaceId: string,
    request: InvitationRequest,
    baseUrl: string,
  ): Promise<Invited> {
    const secret = randomToken();
    const wide = work.everywhere("keys of a member that other workspaces own");
    const outcome = await wide.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      await requireStillAdmin(tx, workspaceId, work.scope.caller);
      const present = await memberByEmail(tx, workspaceId, request.email);
      if (present !== undefined) {
        const result = { member: await this.#changed(tx, present, request) };
        tx.remember(result);
        return { result };
      }
      const invitedBy = work.scope.caller;
      const row = await this.#open(tx, workspaceId, request, { secret, invitedBy });
      const result = invitedOf(row);
      tx.remember({ ...result, note: onceWords(row) });
      return { result, row };
    });
    return outcome.row === undefined
      ? outcome.result
      : this.#delivered(baseUrl, outcome.row, secret);
  }

  /** The member with the role of the request; a request without a role changes nothing. */
  async #changed(tx: Transaction, present: MemberRow, request: InvitationRequest) {
    const { role: wanted, roleDefinitionId } = request;
    const target = { memberId: present.id, email: present.email };
    const before = { role: present.role_key ?? present.role };
    if (wanted === undefined && roleDefinitionId === undefined) {
      tx.note({ target, before, after: before });
      return memberOf(present);
    }
    const role = await this.parts.roles.assigned(tx, present.workspace_id, request);
    if (request.force !== true && (await losesPermissions(tx, present, role))) {
      throw new Refusal("confirmation-required", {
        detail: `Cannot invite ${present.email}: this member is ${before.role} and would lose permissions as ${role.key ?? role.role}. Send "force": true to change the role`,
      });
    }
    const keys = keyFacts(await changeRole(tx, present, { ...role, at: this.parts.now() }));
    tx.note({ target, before, after: { role: role.key ?? role.role, ...keys } });
    const changed = await memberByOid(tx, present.workspace_id, present.oid);
    return { ...memberOf(changed ?? present), ...keys };
  }

  /** Confirms a member; invites a user of the parent or of a child that the caller administers. */
  async provision(
    work: Work,
    workspaceId: string,
    user: {
      readonly oid: string;
      readonly choice: Pick<InvitationRequest, "role" | "roleDefinitionId">;
      readonly baseUrl: string;
    },
  ): Promise<Invited> {
    const { oid, choice, baseUrl } = user;
    const { read } = work.everywhere("members of the parent and of the children");
    const member = await memberByOid(read, workspaceId, oid);
    if (member !== undefined) return { member: memberOf(member) };
    const isKnown = await isNeighbour(read, workspaceId, work.scope.caller, oid);
    const known = isKnown ? await userByOid(read, oid) : undefined;
    if (known === undefined || known.email === "") throw noSuchMember();
    const { email, first_name: firstName, last_name: lastName } = known;
    const names = given({ firstName: firstName ?? undefined, lastName: lastName ?? undefined });
    return this.invite(work, workspaceId, { email, ...names, ...choice }, baseUrl);
  }

  async list(
    { read }: Work,
    workspaceId: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
  ): Promise<ListBody<Invitation>> {
    const now = this.parts.now().toISOString();
    const pages = new ListPages(this.parts.cursors, ["invitations", workspaceId]);
    const start = pages.start(query);
    const { rows: limit, offset } = start;
    const after = madeAt(start.after);
    return pages.body(start, {
      rows: await pendingInvitations(read, { workspaceId, now, after, limit, offset }),
      itemOf: invitationOf,
      positionOf: (row) => [row.created_at, row.id],
      total:
        query.count === true ? await countPendingInvitations(read, workspaceId, now) : undefined,
    });
  }

  async revoke(work: Work, workspaceId: string, id: string): Promise<Invitation> {
    return work.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const row = await invitationById(tx, workspaceId, id);
      if (row?.state !== "pending") throw new Refusal("not-found");
      const updated_at = this.parts.now().toISOString();
      await updateInvitation(tx, row, { state: "revoked", updated_at });
      tx.note({ target: noted(row), after: { status: "revoked" } });
      return { ...invitationOf(row), status: "revoked" };
    });
  }

  /** The pending invitation with this secret; 404 with the reason otherwise. */
  async open(secret: string): Promise<OpenInvitation> {
    const { read } = this.parts.platformWork("an invitation, its workspace and its inviter");
    const row = this.#usable(await invitationBySecret(read, tokenDigest(secret)));
    const workspace = await workspaceName(read, row.workspace_id);
    const inviter = await userByOid(read, row.invited_by);
    return {
      workspaceId: row.workspace_id,
      workspaceName: workspace?.display_name ?? "a workspace",
      email: row.email,
      firstName: row.first_name ?? undefined,
      lastName: row.last_name ?? undefined,
      roleName: row.role_key ?? row.role,
      inviterName: inviter?.display_name ?? "An administrator",
      message: row.message ?? undefined,
      redirectUri: row.redirect_uri ?? undefined,
    };
  }

  /** Makes the user a member; a member by invitation keeps the present role. */
  async accept(work: Work, secret: string, oid: string): Promise<{ readonly id: string }> {
    const row = await work.write((tx) => this.#accept(tx, secret, oid));
    return { id: row.workspace_id };
  }

  /** Makes an account with this password, and the account a member; undefined if it exists. */
  async acceptAsNew(work: Work, secret: string, passwordHash?: string): Promise<User | undefined> {
    return work.write(async (tx) => {
      const found = await invitationBySecret(tx, tokenDigest(secret));
      const { email, first_name: firstName, last_name: lastName } = this.#usable(found);
      const names = { firstName: firstName ?? undefined, lastName: lastName ?? undefined };
      const user = await this.parts.identity.addUser(tx, { email, ...names }, passwordHash);
      if (user !== undefined) await this.#accept(tx, secret, user.oid);
      return user;
    });
  }

  /**
   * Accepts for the account of the address, made without a password where there is none: for sample
   * data, whose people never sign in. No route does this.
   */
  async admit(secret: string): Promise<User> {
    const work = this.parts.platformWork("an invitation of sample data");
    const made = await this.acceptAsNew(work, secret);
    if (made !== undefined) return made;
    const { email } = await this.open(secret);
    const user = await userByEmail(work.read, email);
    if (user === undefined) throw new TypeError("an account of an invitation is missing");
    await this.accept(work, secret, user.oid);
    return user;
  }

  async decline(work: Work, secret: string, oid: string | undefined): Promise<void> {
    await work.write(async (tx) => {
      const row = this.#usable(await invitationBySecret(tx, tokenDigest(secret)));
      const { workspace_id: workspaceId } = row;
      await lockWorkspace(tx, workspaceId);
      await this.#end(tx, row, "declined", oid);
      tx.note({ workspaceId, target: noted(row), after: { status: "declined" } });
    });
  }

  async clean(): Promise<void> {
    const before = new Date(this.parts.now().getTime() - keptMs).toISOString();
    const work = this.parts.platformWork("old invitations");
    for (let count = cleaningLimit; count === cleaningLimit;) {
      count = await work.write((tx) => deleteOldInvitations(tx, before, cleaningLimit));
    }
  }

  /** Notes the mails that were to be sent so long ago as failed. */
  async #failMails(ageMs: number): Promise<void> {
    const before = new Date(this.parts.now().getTime() - ageMs).toISOString();
    const work = this.parts.platformWork("unsent mails");
    if (!(await hasUnsentMails(work.read, before))) return;
    await work.write((tx) => failUnsentMails(tx, before));
  }

  async #open(
    tx: Transaction,
    workspaceId: string,
    request: InvitationRequest,
    { secret, invitedBy }: { readonly secret: string; readonly invitedBy: string },
  ): Promise<InvitationRow> {
    const role = await this.parts.roles.assigned(tx, workspaceId, request);
    const at = this.parts.now();
    const now = at.toISOString();
    const email_key = emailKey(request.email);
    await revokePending(tx, { workspace_id: workspaceId, email_key }, now);
    if ((await countPendingInvitations(tx, workspaceId, now)) >= maximumPending) {
      throw new Refusal("conflict", {
        detail: `Cannot invite: ${maximumPending} invitations are pending. Revoke some first`,
      });
    }
    const row = {
      workspace_id: workspaceId,
      id: Bun.randomUUIDv7(),
      email: request.email,
      email_key,
      role: role.role,
      role_definition_id: role.definitionId,
      first_name: request.firstName ?? null,
      last_name: request.lastName ?? null,
      message: request.message ?? null,
      redirect_uri: request.redirectUri ?? null,
      secret_hash: tokenDigest(secret),
      state: "pending",
      delivery: this.parts.mailer === undefined ? "link" : "mail-pending",
      invited_by: invitedBy,
      decided_by: null,
      created_at: now,
      updated_at: now,
      expires_at: new Date(at.getTime() + lifetimeMs).toISOString(),
    };
    await insertInvitation(tx, row);
    tx.note({ target: noted(row), before: {}, after: { role: role.key ?? row.role } });
    return { ...row, role_key: role.key };
  }

  /** Sends the mail, or adds the link to the answer: only here the secret leaves the platform. */
  async #delivered(baseUrl: string, row: InvitationRow, secret: string): Promise<Invited> {
    const { mailer, hasPages, logger, now } = this.parts;
    const link = hasPages ? invitationLink(baseUrl, secret) : undefined;
    if (mailer === undefined) {
      return { ...invitedOf(row), secret, ...given({ link }) };
    }
    const invitation = await this.open(secret);
    let delivery: "mail" | "mail-failed" = "mail";
    try {
      await mailer.send(invitationMail(invitation, { link, secret, expiresAt: row.expires_at }));
    } catch (error) {
      delivery = "mail-failed";
      const reason = error instanceof Error ? error.message : String(error);
      logger.error({ event: "invitation-mail-failed", invitationId: row.id, error: reason });
    }
    const updated_at = now().toISOString();
    await this.parts
      .platformWork("a sent mail")
      .write((tx) => updateInvitation(tx, row, { delivery, updated_at }));
    const result = invitedOf({ ...row, delivery });
    if (delivery === "mail") return result;
    return {
      ...result,
      note: "The mail could not be sent, and its secret is void for you: see the platform's log, then invite again",
    };
  }

  async #accept(tx: Transaction, secret: string, oid: string): Promise<InvitationRow> {
    const hash = tokenDigest(secret);
    const { workspace_id: workspaceId } = this.#usable(await invitationBySecret(tx, hash));
    await lockWorkspace(tx, workspaceId);
    // It is read again under the lock: another request may have used the secret.
    const row = this.#usable(await invitationBySecret(tx, hash));
    await this.#end(tx, row, "accepted", oid);
    await includeInRules(tx, workspaceId, oid);
    const member = await memberByOid(tx, workspaceId, oid);
    const grant = { workspaceId, oid, role: storedRole(row.role) };
    const definitionId = row.role_definition_id;
    const at = this.parts.now();
    let keys: ChangedKey[] = [];
    if (member === undefined) {
      await grantRole(tx, { ...grant, definitionId, invitedBy: row.invited_by, at });
    } else if (member.rule_id !== null) {
      keys = await changeRole(tx, member, { role: grant.role, definitionId, at });
    }
    tx.note({
      workspaceId,
      target: noted(row),
      before: {},
      after: { status: "accepted", role: row.role_key ?? row.role, ...keyFacts(keys) },
    });
    return member?.rule_id === null ? { ...row, role: member.role } : row;
  }

  #end(
    tx: Transaction,
    row: InvitationRow,
    state: "accepted" | "declined",
    oid: string | undefined,
  ): Promise<void> {
    const updated_at = this.parts.now().toISOString();
    return updateInvitation(tx, row, { state, decided_by: oid ?? null, updated_at });
  }

  #usable(row: InvitationRow | undefined): InvitationRow {
    if (row?.state !== "pending") {
      throw new Refusal("not-found", {
        detail: "This invitation is not valid: it was used, declined, revoked or replaced",
      });
    }
    if (row.expires_at <= this.parts.now().toISOString()) {
      throw new Refusal("not-found", {
        detail: "This invitation has expired: ask for another one",
      });
    }
    return row;
  }
}
