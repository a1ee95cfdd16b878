import type { ListBody, ListQuery } from "#contract/lists.ts";
import type { Invitation, InvitationRequest, Invited } from "#contract/members.ts";
import { Refusal } from "#contract/problems.ts";
import type { Database, Reader, Writer } from "../../database/database.ts";
import type { Principal } from "../../http/handler.ts";
import type { ListCursors } from "../../http/lists/cursors.ts";
import { ListPages, madeAt } from "../../http/lists/pages.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { Logger } from "../../kit/logger.ts";
import {
  emailKey,
  userByEmail,
  userByOid,
  type IdentityService,
  type User,
} from "../identity/service.ts";
import { randomToken, tokenDigest } from "../secrets/service.ts";
import { noteChange } from "../../kit/change-note.ts";
import type { AccessService } from "./access.ts";
import { changeRole, noSuchMember } from "./admin-rule.ts";
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
import { invitationMail, type Mailer } from "./mail.ts";
import { grantRole, memberOf, storedRole } from "./membership.ts";
import type { Remember, RoleDefinitions } from "./roles.ts";
import { isNeighbour, lockWorkspace, memberByEmail, memberByOid, workspaceName } from "./store.ts";

const lifetimeMs = 7 * 24 * 60 * 60 * 1000;
/** Ended invitations are kept this long, so that a late click gets a reason. */
const keptMs = 30 * 24 * 60 * 60 * 1000;
const cleaningIntervalMs = 60 * 60 * 1000;
const cleaningLimit = 1_000;
/** Longer than a mail can take: after it, its process has stopped. */
const mailTimeMs = 60_000;
const maximumPending = 10_000;

/** How an invitation reaches its person. */
export interface InviteCaller {
  readonly principal: Principal;
  readonly baseUrl: string;
}

/**
 * Invitations (spec 4.4): an offer counts only once it is accepted with the secret that only this
 * invitation carried, so an account made by another workspace's admin gets no role. The secret is
 * stored as a digest; an account's address proves nothing.
 */
export class Invitations {
  constructor(
    private readonly parts: {
      readonly database: Database;
      /** Reads rows of the workspace of the running request only. */
      readonly own: Reader;
      readonly unkeyedDatabase: Database;
      readonly access: AccessService;
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
    return this.#failMails(this.parts.unkeyedDatabase.dialect === "sqlite" ? 0 : mailTimeMs);
  }

  /** Changes the role of the member with this address, or invites the address. */
  async invite(
    caller: InviteCaller,
    workspaceId: string,
    request: InvitationRequest,
    remember: Remember<Invited>,
  ): Promise<Invited> {
    const secret = randomToken();
    const outcome = await this.parts.database.write(async (writer) => {
      await lockWorkspace(writer, workspaceId);
      const present = await memberByEmail(writer, workspaceId, request.email);
      if (present !== undefined) {
        const role = await this.parts.roles.assigned(writer, workspaceId, request);
        await changeRole(writer, present, { ...role, at: this.parts.now() });
        noteChange({
          target: { memberId: present.id, email: present.email },
          before: { role: present.role_key ?? present.role },
          after: { role: role.key ?? role.role },
        });
        const changed = await memberByOid(writer, workspaceId, present.oid);
        const result: Invited = { member: memberOf(changed ?? present) };
        remember(result);
        return { result, oid: present.oid };
      }
      const row = await this.#open(writer, caller, workspaceId, request, secret);
      const result = invitedOf(row);
      remember({ ...result, note: onceWords(row) });
      return { result, row };
    });
    if (outcome.oid !== undefined) this.parts.access.forgetMember(workspaceId, outcome.oid);
    if (outcome.row === undefined) return outcome.result;
    return this.#delivered(caller, outcome.row, secret);
  }

  /** Confirms a member; invites a user of the parent or of a child that the caller administers. */
  async provision(
    caller: InviteCaller,
    workspaceId: string,
    oid: string,
    choice: Pick<InvitationRequest, "role" | "roleDefinitionId">,
    remember: Remember<Invited>,
  ): Promise<Invited> {
    const { read } = this.parts.database;
    const member = await memberByOid(read, workspaceId, oid);
    if (member !== undefined) return { member: memberOf(member) };
    const isKnown = await isNeighbour(read, workspaceId, caller.principal.oid, oid);
    const user = isKnown ? await userByOid(read, oid) : undefined;
    if (user === undefined || user.email === "") throw noSuchMember();
    const names = {
      email: user.email,
      ...(user.first_name === null ? {} : { firstName: user.first_name }),
      ...(user.last_name === null ? {} : { lastName: user.last_name }),
    };
    return this.invite(caller, workspaceId, { ...names, ...choice }, remember);
  }

  async list(
    workspaceId: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
  ): Promise<ListBody<Invitation>> {
    const { own } = this.parts;
    const now = this.parts.now().toISOString();
    const pages = new ListPages(this.parts.cursors, ["invitations", workspaceId]);
    const start = pages.start(query);
    const { rows: limit, offset } = start;
    const after = madeAt(start.after);
    return pages.body(start, {
      rows: await pendingInvitations(own, { workspaceId, now, after, limit, offset }),
      itemOf: invitationOf,
      positionOf: (row) => [row.created_at, row.id],
      total:
        query.count === true ? await countPendingInvitations(own, workspaceId, now) : undefined,
    });
  }

  async revoke(workspaceId: string, id: string): Promise<Invitation> {
    return this.parts.database.write(async (writer) => {
      await lockWorkspace(writer, workspaceId);
      const row = await invitationById(writer, workspaceId, id);
      if (row?.state !== "pending") throw new Refusal("not-found");
      const updated_at = this.parts.now().toISOString();
      await updateInvitation(writer, row, { state: "revoked", updated_at });
      noteChange({ target: noted(row), after: { status: "revoked" } });
      return { ...invitationOf(row), status: "revoked" };
    });
  }

  /** The pending invitation with this secret; 404 with the reason otherwise. */
  async open(secret: string): Promise<OpenInvitation> {
    const { read } = this.parts.database;
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
  async accept(secret: string, oid: string): Promise<{ readonly id: string }> {
    const row = await this.parts.database.write((writer) => this.#accept(writer, secret, oid));
    this.parts.access.forgetMember(row.workspace_id, oid);
    return { id: row.workspace_id };
  }

  /** Makes an account with this password, and the account a member; undefined if it exists. */
  async acceptAsNew(secret: string, passwordHash?: string): Promise<User | undefined> {
    const accepted = await this.parts.database.write(async (writer) => {
      const found = await invitationBySecret(writer, tokenDigest(secret));
      const { email, first_name: firstName, last_name: lastName } = this.#usable(found);
      const names = { firstName: firstName ?? undefined, lastName: lastName ?? undefined };
      const user = await this.parts.identity.addUser(writer, { email, ...names }, passwordHash);
      if (user === undefined) return undefined;
      const row = await this.#accept(writer, secret, user.oid);
      return { user, row };
    });
    if (accepted === undefined) return undefined;
    this.parts.access.forgetMember(accepted.row.workspace_id, accepted.user.oid);
    this.parts.access.forgetUser(accepted.user.oid);
    return accepted.user;
  }

  /**
   * Accepts for the account of the address, made without a password where there is none: for sample
   * data, whose people never sign in. No route does this.
   */
  async admit(secret: string): Promise<User> {
    const made = await this.acceptAsNew(secret);
    if (made !== undefined) return made;
    const { email } = await this.open(secret);
    const user = await userByEmail(this.parts.database.read, email);
    if (user === undefined) throw new TypeError("an account of an invitation is missing");
    await this.accept(secret, user.oid);
    return user;
  }

  async decline(secret: string, oid: string | undefined): Promise<void> {
    await this.parts.database.write(async (writer) => {
      const row = this.#usable(await invitationBySecret(writer, tokenDigest(secret)));
      await lockWorkspace(writer, row.workspace_id);
      await this.#end(writer, row, "declined", oid);
      noteChange({
        workspaceId: row.workspace_id,
        target: noted(row),
        after: { status: "declined" },
      });
    });
  }

  async clean(): Promise<void> {
    const before = new Date(this.parts.now().getTime() - keptMs).toISOString();
    for (let count = cleaningLimit; count === cleaningLimit;) {
      count = await this.parts.unkeyedDatabase.write((writer) =>
        deleteOldInvitations(writer, before, cleaningLimit),
      );
    }
  }

  /** Notes the mails that were to be sent so long ago as failed. */
  async #failMails(ageMs: number): Promise<void> {
    const before = new Date(this.parts.now().getTime() - ageMs).toISOString();
    if (!(await hasUnsentMails(this.parts.unkeyedDatabase.read, before))) return;
    await this.parts.unkeyedDatabase.write((writer) => failUnsentMails(writer, before));
  }

  async #open(
    writer: Writer,
    { principal }: InviteCaller,
    workspaceId: string,
    request: InvitationRequest,
    secret: string,
  ): Promise<InvitationRow> {
    const role = await this.parts.roles.assigned(writer, workspaceId, request);
    const at = this.parts.now();
    const now = at.toISOString();
    const email_key = emailKey(request.email);
    await revokePending(writer, { workspace_id: workspaceId, email_key }, now);
    if ((await countPendingInvitations(writer, workspaceId, now)) >= maximumPending) {
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
      invited_by: principal.oid,
      decided_by: null,
      created_at: now,
      updated_at: now,
      expires_at: new Date(at.getTime() + lifetimeMs).toISOString(),
    };
    await insertInvitation(writer, row);
    noteChange({ target: noted(row), before: {}, after: { role: role.key ?? row.role } });
    return { ...row, role_key: role.key };
  }

  /** Sends the mail, or adds the link to the answer: only here the secret leaves the platform. */
  async #delivered(
    { baseUrl }: InviteCaller,
    row: InvitationRow,
    secret: string,
  ): Promise<Invited> {
    const { mailer, hasPages, logger, now } = this.parts;
    const link = hasPages ? invitationLink(baseUrl, secret) : undefined;
    if (mailer === undefined) {
      return { ...invitedOf(row), secret, ...(link === undefined ? {} : { link }) };
    }
    const invitation = await this.open(secret);
    let delivery: "mail" | "mail-failed" = "mail";
    try {
      await mailer.send(invitationMail(invitation, { link, secret, expiresAt: row.expires_at }));
    } catch (error) {
      delivery = "mail-failed";
      const words = error instanceof Error ? error.message : String(error);
      logger.error({ event: "invitation-mail-failed", invitationId: row.id, error: words });
    }
    const updated_at = now().toISOString();
    await this.parts.unkeyedDatabase.write((writer) =>
      updateInvitation(writer, row, { delivery, updated_at }),
    );
    const result = invitedOf({ ...row, delivery });
    if (delivery === "mail") return result;
    return {
      ...result,
      note: "The mail could not be sent, and its secret is void for you: see the platform's log, then invite again",
    };
  }

  async #accept(writer: Writer, secret: string, oid: string): Promise<InvitationRow> {
    const hash = tokenDigest(secret);
    const { workspace_id: workspaceId } = this.#usable(await invitationBySecret(writer, hash));
    await lockWorkspace(writer, workspaceId);
    // Read again under the lock: another request may have used the secret.
    const row = this.#usable(await invitationBySecret(writer, hash));
    await this.#end(writer, row, "accepted", oid);
    noteChange({
      workspaceId,
      target: noted(row),
      before: {},
      after: { status: "accepted", role: row.role_key ?? row.role },
    });
    await includeInRules(writer, workspaceId, oid);
    const member = await memberByOid(writer, workspaceId, oid);
    const grant = { workspaceId, oid, role: storedRole(row.role) };
    const definitionId = row.role_definition_id;
    if (member !== undefined) {
      if (member.rule_id === null) return { ...row, role: member.role };
      await changeRole(writer, member, { role: grant.role, definitionId, at: this.parts.now() });
      return row;
    }
    const invitedBy = row.invited_by;
    await grantRole(writer, { ...grant, definitionId, invitedBy, at: this.parts.now() });
    return row;
  }

  #end(
    writer: Writer,
    row: InvitationRow,
    state: "accepted" | "declined",
    oid: string | undefined,
  ): Promise<void> {
    const updated_at = this.parts.now().toISOString();
    return updateInvitation(writer, row, { state, decided_by: oid ?? null, updated_at });
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
