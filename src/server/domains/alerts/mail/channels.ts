import type { AlertChannels, ChannelChanges } from "#contract/events/alerts.ts";
import { roleIncludes } from "#contract/access/roles.ts";
import type { Reader } from "../../../database/database.ts";
import { faultAt, invalid } from "../../../kit/faults.ts";
import type { WorkspaceScope } from "../../../work/caller.ts";
import { roleTooLow } from "../../../work/refusals.ts";
import type { Transaction, Work } from "../../../work/work.ts";
import type { PlatformWork } from "../../../work/works.ts";
import { mailedMemberships } from "../../members/service.ts";
import {
  channelOf,
  defaultChoice,
  putChoice,
  recipientOfRole,
  type ChannelRecord,
  type Choice,
} from "./channel-store.ts";
import type { Unsubscription } from "./unsubscribe-token.ts";

interface Asking {
  readonly oid: string;
  readonly scope: WorkspaceScope;
}

/** How alerts reach a person, or the members with a role. */
export class AlertChannelList {
  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly hasRole: (reader: Reader, workspaceId: string, name: string) => Promise<boolean>;
      readonly sendsMail: boolean;
      readonly now: () => Date;
    },
  ) {}

  async get(work: Work, asking: Asking, role?: string): Promise<AlertChannels> {
    if (role !== undefined) await this.#requireRole(work.read, asking.scope.id, ["role"], role);
    return this.#answer(work.read, asking, role);
  }

  /** Changes a choice; 403 for that of a role below tenant-builder. */
  async update(
    work: Work,
    asking: Asking,
    { role, ...changes }: ChannelChanges,
  ): Promise<AlertChannels> {
    const { scope, oid } = asking;
    if (role !== undefined) {
      if (!roleIncludes(scope.role, "tenant-builder")) {
        throw roleTooLow("tenant-builder", scope.role);
      }
      await this.#requireRole(work.read, scope.id, ["role"], role);
      for (const name of ["mutedUntil", "mutedRules"] as const) {
        if (changes[name] === undefined) continue;
        throw invalid([faultAt("body", [name], "is a choice of a person: leave out role")]);
      }
    }
    const key = { workspace_id: scope.id, recipient: recipientOf(asking, role) };
    return work.write(async (tx) => {
      const before = (await channelOf(tx, key)) ?? defaultChoice;
      const after = changed(before, changes);
      await this.#put(tx, key, after);
      const participants = role === undefined ? { participants: [oid] } : {};
      const about = { op: "updated", type: "alert-channel", ...participants } as const;
      tx.event("setting", role ?? oid, scope.id, about);
      tx.note({ target: { role: role ?? null }, before: factsOf(before), after: factsOf(after) });
      return this.#answer(tx, asking, role);
    });
  }

  /**
   * Ends the mails of a person, in one workspace or in all of theirs. A link is valid for ever, so
   * it changes nothing in a workspace that the person has left, and nothing again.
   */
  async unsubscribe({ oid, workspaceId }: Unsubscription): Promise<void> {
    const work = this.parts.platformWork("mails that a person has ended");
    const ids = (await mailedMemberships(work.read, oid))
      .map((member) => member.workspace_id)
      .filter((id) => workspaceId === undefined || id === workspaceId);
    if (ids.length === 0) return;
    await work.write(async (tx) => {
      for (const id of ids) {
        const key = { workspace_id: id, recipient: oid };
        const before = (await channelOf(tx, key)) ?? defaultChoice;
        if (Number(before.mail) === 0) continue;
        await this.#put(tx, key, changed(before, { mail: false }));
        const about = { op: "updated", type: "alert-channel", participants: [oid] } as const;
        tx.event("setting", oid, id, about);
      }
    });
  }

  #put(tx: Transaction, key: Pick<ChannelRecord, "workspace_id" | "recipient">, choice: Choice) {
    const isMuted = (choice.muted_until ?? "") > this.parts.now().toISOString();
    return putChoice(tx, key, choice, choice.mail === 0 || isMuted);
  }

  async #answer(read: Reader, asking: Asking, role: string | undefined): Promise<AlertChannels> {
    const { oid, scope } = asking;
    const { sendsMail } = this.parts;
    const key = { workspace_id: scope.id, recipient: recipientOf(asking, role) };
    const row = await channelOf(read, key);
    const { mail, muted_until, muted_rules } = row ?? defaultChoice;
    if (role !== undefined) return { role, mail: Number(mail) === 1, sendsMail };
    const members = await mailedMemberships(read, oid);
    const own = members.find((member) => member.workspace_id === scope.id);
    return {
      mail: Number(mail) === 1,
      mutedUntil: muted_until,
      mutedRules: rulesOf(muted_rules),
      address: own?.email ?? null,
      sendsMail,
      lastMailAt: row?.mailed_at ?? null,
    };
  }

  async #requireRole(read: Reader, workspaceId: string, path: string[], role: string) {
    if (await this.parts.hasRole(read, workspaceId, role)) return;
    throw invalid([faultAt("body", path, "is not a role of this workspace")]);
  }
}

function recipientOf({ oid }: Asking, role: string | undefined): string {
  return role === undefined ? oid : recipientOfRole(role);
}

function changed(before: Choice, changes: Omit<ChannelChanges, "role">): Choice {
  const { mail, mutedUntil, mutedRules } = changes;
  return {
    mail: mail === undefined ? before.mail : Number(mail),
    muted_until: mutedUntil === undefined ? before.muted_until : timeOf(mutedUntil),
    muted_rules: mutedRules === undefined ? before.muted_rules : JSON.stringify(mutedRules),
  };
}

/** Times are compared as texts, so all of them have one form. */
function timeOf(text: string | null): string | null {
  return text === null ? null : new Date(text).toISOString();
}

/** The ids of the rules that a person has muted. */
export function rulesOf(text: string): string[] {
  // Only this module writes the column.
  return JSON.parse(text) as string[];
}

function factsOf({ mail, muted_until: mutedUntil }: Choice): object {
  return { mail: Number(mail) === 1, mutedUntil };
}
