import { Alerts } from "../domains/alerts/service.ts";
import type { PlatformBase } from "../domains/base.ts";
import { Feed } from "../domains/feed/service.ts";
import type { AccessService } from "../domains/members/service.ts";
import type { RoleDefinitions } from "../domains/members/roles.ts";
import type { ObjectTypeService } from "../domains/object-types/service.ts";
import type { Quotas } from "../domains/quotas/service.ts";
import { Marks } from "../domains/marks/service.ts";
import { Realtime } from "../domains/realtime/service.ts";
import type { ResourceService } from "../domains/records/service.ts";
import type { TokenService } from "../domains/tokens/service.ts";
import { Webhooks } from "../domains/webhooks/service.ts";
import type { Mailer } from "../kit/mail/mail.ts";

/** Reads the use of a workspace's quotas. */
export type QuotaReader = Quotas["read"];

/** Parts of the platform that are made after the readers of the feed. */
export interface StreamUses {
  readonly readQuota: QuotaReader;
  /** The address at which people reach the platform; undefined until it listens. */
  readonly publicUrl: () => string | undefined;
}

/** The feed of changes, and its readers: streams, webhooks and alerts. */
export async function createStreams(
  base: PlatformBase,
  accounts: {
    readonly access: AccessService;
    readonly roles: RoleDefinitions;
    readonly tokens: TokenService;
    readonly mailer: Mailer | undefined;
  },
  parts: StreamUses & {
    readonly objectTypes: ObjectTypeService;
    readonly records: ResourceService;
  },
) {
  const { objectTypes, records, readQuota } = parts;
  const work = base.platformWork("the feed of changes");
  const feed = new Feed({ ...base, ...parts, work });
  const webhooks = new Webhooks(base, {
    feed,
    objectTypes,
    readRecord: (reading, { version: recordVersion, ...scope }, signal) =>
      records.getSelected(reading, scope, { version: recordVersion }, signal),
    readAlert: (reading, workspace, id) => alerts.list.forRole(reading, workspace, id),
    isRuleOfRole: (...rule) => alerts.rules.isOfRole(...rule),
    address: base.webhookAddress,
    timeoutMs: base.limits.webhookTimeoutMs,
  });
  const alerts = new Alerts(base, {
    ...accounts,
    ...parts,
    feed,
    reads: { list: (...query) => records.list(...query), quota: readQuota },
  });
  alerts.start();
  await webhooks.worker.start();
  const realtime = new Realtime({ ...base, ...accounts, ...parts, feed, changes: base.feed });
  const marks = new Marks({ feed, now: base.now });
  return { feed, webhooks, alerts, realtime, marks };
}
