import type { Logger } from "../../../kit/logger.ts";
import type { Mailer } from "../../../kit/mail/mail.ts";
import type { ScheduledTask } from "../../../jobs/scheduler.ts";
import type { Work } from "../../../work/work.ts";
import type { PlatformWork } from "../../../work/works.ts";
import {
  mailedMembers,
  mailedMemberships,
  type AccessService,
  type MailedMember,
  type MailedMembership,
} from "../../members/service.ts";
import type { ObjectTypeService } from "../../object-types/service.ts";
import { neededReads } from "../alert-store.ts";
import { heldReads, recipientOf } from "../reads.ts";
import { alertOf } from "../wire.ts";
import {
  addPending,
  alertsToMail,
  channelsAmong,
  channelsOfPerson,
  duePersons,
  endPending,
  noteListed,
  postpone,
  silentRoles,
  waitingAlerts,
  workspacesToMail,
  type ChannelRecord,
} from "./channel-store.ts";
import { rulesOf } from "./channels.ts";
import { digestMail, namedAlerts, type DigestSection } from "./digest.ts";
import { unsubscribeLink, type UnsubscribeTokens } from "./unsubscribe-token.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Alerts of this time become one mail. */
const gatherMs = minuteMs;
const workspacesAtOnce = 100;
const alertsAtOnce = 500;
const membersAtOnce = 500;
const personsAtOnce = 100;
/** Pauses after a mail that could not be sent; after this many the alerts are only in the list. */
const firstPauseMs = 5 * minuteMs;
const maximumFailures = 10;
/** A run ends after so many failures in a row: the mail server is away. */
const failuresOfRun = 3;

type Waiting = Awaited<ReturnType<typeof waitingAlerts>>[number];

interface MailParts {
  readonly platformWork: PlatformWork;
  readonly access: Pick<AccessService, "heldIn">;
  readonly objectTypes: Pick<ObjectTypeService, "find">;
  readonly mailer: Mailer;
  readonly tokens: UnsubscribeTokens;
  /** The address at which persons reach the platform; undefined until it is known. */
  readonly publicUrl: () => string | undefined;
  readonly logger: Logger;
  readonly now: () => Date;
}

/**
 * Mails alerts: at most one mail an hour to each person, with those of all their workspaces. A mail
 * that waits has no content: it is made of the alerts that exist and may be read when it is sent.
 */
export class AlertMails implements ScheduledTask {
  readonly name = "alert-mails";
  readonly #work: Work;

  constructor(private readonly parts: MailParts) {
    this.#work = parts.platformWork("mails with alerts of all workspaces");
  }

  async isDue(): Promise<boolean> {
    if (this.parts.publicUrl() === undefined) return false;
    const { read } = this.#work;
    return (
      (await duePersons(read, this.#now(), 1)).length > 0 ||
      (await workspacesToMail(read, 1)).length > 0
    );
  }

  async run(extend: () => Promise<boolean>): Promise<void> {
    for (const workspaceId of await workspacesToMail(this.#work.read, workspacesAtOnce)) {
      if (!(await extend())) return;
      await this.#list(workspaceId);
    }
    let failures = 0;
    for (const oid of await duePersons(this.#work.read, this.#now(), personsAtOnce)) {
      if (failures === failuresOfRun || !(await extend())) return;
      failures = (await this.#send(oid)) ? 0 : failures + 1;
    }
  }

  #now(aheadMs = 0): string {
    return new Date(this.parts.now().getTime() + aheadMs).toISOString();
  }

  /** Adds the waiting alerts of a workspace to the next mails of their recipients. */
  async #list(workspaceId: string): Promise<void> {
    const work = this.#work.within(workspaceId);
    const waiting = await waitingAlerts(work.read, workspaceId, alertsAtOnce);
    const silent = new Set(await silentRoles(work.read, workspaceId));
    const loud = waiting.filter(({ to_role: role }) => role === null || !silent.has(role));
    if (loud.length > 0) {
      let after: string | undefined;
      for (;;) {
        const members = await mailedMembers(work.read, workspaceId, {
          after,
          limit: membersAtOnce,
        });
        await this.#addTo(work, workspaceId, members, loud);
        after = members.at(-1)?.oid;
        if (members.length < membersAtOnce) break;
      }
    }
    // After a crash before this, the same alerts are added again, which changes nothing.
    const ids = waiting.map(({ id }) => id);
    await work.write((tx) => noteListed(tx, workspaceId, ids));
  }

  async #addTo(
    work: Work,
    workspaceId: string,
    members: readonly MailedMember[],
    waiting: readonly Waiting[],
  ): Promise<void> {
    const oids = members.map(({ oid }) => oid);
    const channels = await channelsAmong(work.read, workspaceId, oids);
    const added: { readonly oid: string; readonly first: string; readonly last: string }[] = [];
    for (const oid of oids) {
      const channel = channels.get(oid);
      if (channel !== undefined && this.#isSilent(channel)) continue;
      const held = await this.parts.access.heldIn(workspaceId, oid);
      if (held === undefined) continue;
      const { roles } = recipientOf(oid, { id: workspaceId, ...held });
      const muted = new Set(channel === undefined ? [] : rulesOf(channel.muted_rules));
      const own = waiting.filter(
        ({ to_user: user, to_role: role, rule_id: rule }) =>
          !muted.has(rule) &&
          (user === oid || (role !== null && (roles === undefined || roles.includes(role)))),
      );
      const [first, last] = [own[0]?.id, own.at(-1)?.id];
      if (first !== undefined && last !== undefined) added.push({ oid, first, last });
    }
    const dueAt = this.#now(gatherMs);
    await work.write(async (tx) => {
      for (const { oid, ...ids } of added) {
        await addPending(tx, { workspace_id: workspaceId, recipient: oid }, { ...ids, dueAt });
      }
    });
  }

  #isSilent({ mail, muted_until: mutedUntil }: ChannelRecord): boolean {
    return Number(mail) === 0 || (mutedUntil !== null && mutedUntil > this.#now());
  }

  /** Sends the mail of a person if their last one is an hour old; false if it was not taken. */
  async #send(oid: string): Promise<boolean> {
    const rows = await channelsOfPerson(this.#work.read, oid);
    const pending = rows.filter((row) => row.pending_from !== null);
    const lastAt =
      rows
        .map((row) => row.mailed_at ?? "")
        .toSorted()
        .at(-1) ?? "";
    const dueAt = lastAt === "" ? "" : new Date(Date.parse(lastAt) + hourMs).toISOString();
    if (dueAt > this.#now()) {
      await this.#postpone(pending, dueAt);
      return true;
    }
    const memberships = await mailedMemberships(this.#work.read, oid);
    const sections: DigestSection[] = [];
    for (const row of pending) {
      const membership = memberships.find((each) => each.workspace_id === row.workspace_id);
      const section = membership && (await this.#section(row, membership));
      if (section !== undefined) sections.push(section);
    }
    const [member] = memberships;
    const isSent = member !== undefined && sections.length > 0;
    if (isSent && !(await this.#mail(member, sections, pending))) return false;
    const times = { nextAt: this.#now(hourMs), sentAt: isSent ? this.#now() : undefined };
    await this.#work.write(async (tx) => {
      for (const row of pending) {
        await endPending(tx, row, { ...times, mailedAt: times.sentAt ?? row.mailed_at });
      }
    });
    return true;
  }

  /** The alerts of one workspace that the person may read now; undefined for none. */
  async #section(
    row: ChannelRecord,
    { workspace_name: workspaceName, workspace_slug: workspaceSlug }: MailedMembership,
  ): Promise<DigestSection | undefined> {
    const { workspace_id: workspaceId, recipient: oid, pending_from: from } = row;
    const held = await this.parts.access.heldIn(workspaceId, oid);
    if (held === undefined || from === null || this.#isSilent(row)) return undefined;
    const { read } = this.#work.within(workspaceId);
    const scope = { id: workspaceId, ...held };
    const recipient = recipientOf(oid, scope);
    const needed = await neededReads(read, workspaceId, recipient, from);
    const reads = await heldReads(this.parts.objectTypes, scope, needed);
    if (reads.length === 0) return undefined;
    const alerts = await alertsToMail(read, {
      workspaceId,
      recipient,
      reads,
      silentRoles: await silentRoles(read, workspaceId),
      mutedRules: rulesOf(row.muted_rules),
      from,
      limit: namedAlerts + 1,
    });
    if (alerts.length === 0) return undefined;
    const link = this.#link({ oid, workspaceId });
    return {
      workspaceName,
      workspaceSlug,
      alerts: alerts.map((alert) => alertOf(alert)),
      unsubscribeLink: link,
    };
  }

  async #mail(
    { oid, email, first_name: firstName }: MailedMember,
    sections: readonly DigestSection[],
    pending: readonly ChannelRecord[],
  ): Promise<boolean> {
    const { mailer, logger, publicUrl } = this.parts;
    const places = pending.map(({ workspace_id, pending_from }) => [workspace_id, pending_from]);
    const digest = Bun.CryptoHasher.hash("sha256", JSON.stringify([oid, places]), "hex");
    const { hostname } = new URL(publicUrl() ?? "http://localhost");
    try {
      await mailer.send(
        digestMail({
          to: email,
          firstName,
          messageId: `<alerts-${digest.slice(0, 32)}@${hostname}>`,
          sections,
          unsubscribeLink: this.#link({ oid, workspaceId: undefined }),
        }),
      );
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.error({ event: "alert-mail-failed", oid, error: reason });
      await this.#fail(pending);
      return false;
    }
  }

  #link(unsubscription: Parameters<UnsubscribeTokens["write"]>[0]): string {
    const { publicUrl, tokens } = this.parts;
    return unsubscribeLink(publicUrl() ?? "", tokens.write(unsubscription));
  }

  async #fail(pending: readonly ChannelRecord[]): Promise<void> {
    const failures = 1 + Math.max(...pending.map((row) => Number(row.failures)));
    const pauseMs = Math.min(hourMs, firstPauseMs * 2 ** (failures - 1));
    if (failures < maximumFailures) return this.#postpone(pending, this.#now(pauseMs), failures);
    await this.#work.write(async (tx) => {
      for (const row of pending) {
        await endPending(tx, row, { mailedAt: row.mailed_at, nextAt: this.#now(hourMs) });
      }
    });
  }

  #postpone(pending: readonly ChannelRecord[], dueAt: string, failures?: number): Promise<void> {
    return this.#work.write(async (tx) => {
      for (const row of pending) {
        await postpone(tx, row, { dueAt, failures: failures ?? Number(row.failures) });
      }
    });
  }
}
