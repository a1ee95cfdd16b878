import { Scheduler } from "../../jobs/scheduler.ts";
import type { Mailer } from "../../kit/mail/mail.ts";
import { ListCursors } from "../../kit/lists/cursors.ts";
import type { Reader } from "../../database/database.ts";
import type { Work } from "../../work/work.ts";
import type { PlatformBase } from "../base.ts";
import type { Feed } from "../feed/service.ts";
import type { AccessService } from "../members/service.ts";
import type { ObjectTypeService } from "../object-types/service.ts";
import { eraseAlerts } from "./alert-store.ts";
import { AlertList } from "./alerts.ts";
import type { CheckReads } from "./checks.ts";
import { AlertChannelList } from "./mail/channels.ts";
import { AlertMails } from "./mail/mails.ts";
import { UnsubscribeTokens } from "./mail/unsubscribe-token.ts";
import { AlertRules } from "./rules.ts";
import { AlertWatcher } from "./watcher.ts";

/** Alerts of workspaces: rules as data, with one alert for each cause. */
export class Alerts {
  readonly list: AlertList;
  readonly rules: AlertRules;
  /** Raises what is due, on one platform of the database at a time. */
  readonly scheduler: Scheduler;
  readonly channels: AlertChannelList;
  readonly unsubscribeTokens: UnsubscribeTokens;
  /** Mails alerts; undefined without a mail server. */
  readonly mails: Scheduler | undefined;

  constructor(
    base: Pick<PlatformBase, "platformWork" | "secrets" | "now" | "logger" | "lifetime" | "worker">,
    parts: {
      readonly feed: Feed;
      readonly objectTypes: Pick<ObjectTypeService, "find">;
      readonly access: Pick<AccessService, "heldIn">;
      readonly roles: {
        isRole(reader: Reader, workspaceId: string, name: string): Promise<boolean>;
      };
      readonly reads: CheckReads;
      readonly mailer: Mailer | undefined;
      readonly publicUrl: () => string | undefined;
    },
  ) {
    const { access, roles, mailer } = parts;
    const { secrets, now } = base;
    const sendsMail = mailer !== undefined;
    const hasRole = roles.isRole.bind(roles);
    this.list = new AlertList({ ...parts, cursors: new ListCursors(secrets.for("alerts")), now });
    this.rules = new AlertRules({
      ...parts,
      hasAccess: async (workspaceId, oid) => (await access.heldIn(workspaceId, oid)) !== undefined,
      hasRole,
      cursors: new ListCursors(secrets.for("alert rules")),
      now,
    });
    this.scheduler = new Scheduler({
      ...base,
      task: new AlertWatcher({ ...base, ...parts, sendsMail }),
    });
    this.channels = new AlertChannelList({ ...base, hasRole, sendsMail });
    const tokens = new UnsubscribeTokens(secrets.for("ends of mails with alerts"));
    this.unsubscribeTokens = tokens;
    this.mails =
      mailer === undefined
        ? undefined
        : new Scheduler({ ...base, task: new AlertMails({ ...base, ...parts, mailer, tokens }) });
  }

  start(): void {
    this.scheduler.start();
    this.mails?.start();
  }

  /** Removes the alerts about erased records and documents. */
  async erase(work: Work, workspaceId: string, ids: readonly string[]): Promise<void> {
    await work.write((tx) => eraseAlerts(tx, workspaceId, ids));
  }
}
