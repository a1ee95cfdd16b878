import { key, keyGroup } from "../kit/keys/keys.ts";
import { because, firstOf, needs, roleReason, row, type KeyFacts } from "../kit/keys/reasons.ts";
import type { ShellKeys } from "../shell/keys.ts";

export interface AlertFacts extends KeyFacts {
  /** Whether the selected alert is no longer open. */
  readonly isAcknowledged?: boolean | undefined;
  /** Whether the selected alert is about a record. */
  readonly hasRecord?: boolean | undefined;
  /** The selected choice of mails is that for a role. */
  readonly isOfRole?: boolean | undefined;
}

const open = because(({ isAcknowledged, marked = 0 }: AlertFacts) =>
  isAcknowledged === true && marked === 0 ? "this alert is acknowledged already" : undefined,
);
const record = because(({ hasRecord }: AlertFacts) =>
  hasRecord === false ? "this alert is not about a record" : undefined,
);
const ownChoice = because(({ isOfRole, role }: AlertFacts) =>
  isOfRole === true ? roleReason("tenant-builder", role) : undefined,
);
const everyone = (capability: string) => needs(capability, "tenant-viewer");

export const alertKeys = keyGroup({
  acknowledge: key("a", "place", "acknowledge", {
    footer: 30,
    disabledReason: firstOf(row, open, everyone("alerts.acknowledge")),
  }),
  openSubject: key("o", "place", "open its record", {
    footer: 31,
    disabledReason: firstOf(row, record),
  }),
  createRule: key("c", "place", "create a rule", {
    footer: 32,
    disabledReason: everyone("alerts.createRule"),
  }),
  editRule: key("e", "place", "change it", {
    footer: 33,
    disabledReason: firstOf(row, everyone("alerts.updateRule")),
  }),
  toggleRule: key("D", "place", "mute or unmute", {
    footer: 34,
    disabledReason: firstOf(row, everyone("alerts.updateRule")),
  }),
  deleteRule: key("ctrl+d", "place", "delete", {
    footer: 70,
    disabledReason: firstOf(row, everyone("alerts.removeRule")),
  }),
  toggleMail: key("D", "place", "mail alerts or not", {
    footer: 34,
    disabledReason: firstOf(row, ownChoice, everyone("alerts.updateChannels")),
  }),
  editChannel: key("e", "place", "change it", {
    footer: 33,
    disabledReason: firstOf(row, ownChoice, everyone("alerts.updateChannels")),
  }),
  goAlerts: key("9", "global", "alerts"),
});

export type AlertKeys = typeof alertKeys & ShellKeys;
