import { Scheduler } from "../../jobs/scheduler.ts";
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
import { AlertRules } from "./rules.ts";
import { AlertWatcher } from "./watcher.ts";

/** Alerts of workspaces: rules as data, with one alert for each cause. */
export class Alerts {
  readonly list: AlertList;
  readonly rules: AlertRules;
  /** Raises what is due, on one platform of the database at a time. */
  readonly scheduler: Scheduler;

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
    },
  ) {
    const { access, roles } = parts;
    const { secrets, now } = base;
    this.list = new AlertList({ ...parts, cursors: new ListCursors(secrets.for("alerts")), now });
    this.rules = new AlertRules({
      ...parts,
      hasAccess: async (workspaceId, oid) => (await access.heldIn(workspaceId, oid)) !== undefined,
      hasRole: (reader, workspaceId, name) => roles.isRole(reader, workspaceId, name),
      cursors: new ListCursors(secrets.for("alert rules")),
      now,
    });
    this.scheduler = new Scheduler({ ...base, task: new AlertWatcher({ ...base, ...parts }) });
  }

  /** Removes the alerts about erased records and documents. */
  async erase(work: Work, workspaceId: string, ids: readonly string[]): Promise<void> {
    await work.write((tx) => eraseAlerts(tx, workspaceId, ids));
  }
}
