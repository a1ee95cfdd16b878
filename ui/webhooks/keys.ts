import { key, keyGroup } from "../kit/keys/keys.ts";
import { because, firstOf, needs, row, type KeyFacts } from "../kit/keys/reasons.ts";
import type { ShellKeys } from "../shell/keys.ts";

export interface WebhookFacts extends KeyFacts {
  /** The state of the selected delivery or received call. */
  readonly callStatus?: string | undefined;
  /** The selected endpoint has no URL: a command pulls its deliveries. */
  readonly isPulled?: boolean | undefined;
}

const adminMay = (capability: string) => needs(capability, "tenant-admin");
const onRow = (capability: string) => firstOf(row, adminMay(capability));
const ended = because(({ callStatus, marked = 0 }: WebhookFacts) =>
  marked === 0 && (callStatus === "pending" || callStatus === "waiting")
    ? `it is ${callStatus} already`
    : undefined,
);
const posted = because(({ isPulled }: WebhookFacts) =>
  isPulled === true ? "a command pulls the deliveries of this endpoint" : undefined,
);

export const webhookKeys = keyGroup({
  createEndpoint: key("c", "place", "create an endpoint", {
    footer: 30,
    disabledReason: adminMay("webhooks.create"),
  }),
  editEndpoint: key("e", "place", "change it", {
    footer: 31,
    disabledReason: firstOf(row, posted, adminMay("webhooks.update")),
  }),
  deliveries: key("L", "place", "its deliveries", { footer: 29, disabledReason: row }),
  testEndpoint: key("t", "place", "send a test event", {
    footer: 32,
    disabledReason: onRow("webhooks.test"),
  }),
  toggleEndpoint: key("D", "place", "disable or enable", {
    footer: 33,
    disabledReason: onRow("webhooks.update"),
  }),
  rotateEndpoint: key("S", "place", "rotate the secret", {
    footer: 34,
    disabledReason: onRow("webhooks.rotate"),
  }),
  deleteEndpoint: key("ctrl+d", "place", "delete", {
    footer: 70,
    disabledReason: onRow("webhooks.remove"),
  }),
  replayDelivery: key("R", "place", "send again", {
    footer: 30,
    disabledReason: firstOf(row, ended, adminMay("webhooks.replay")),
  }),
  replayFailed: key("F", "place", "send all failed again", {
    footer: 31,
    disabledReason: adminMay("webhooks.replay"),
  }),
  createSource: key("c", "place", "create a source", {
    footer: 30,
    disabledReason: adminMay("webhookSources.create"),
  }),
  editSource: key("e", "place", "change it", {
    footer: 31,
    disabledReason: onRow("webhookSources.update"),
  }),
  received: key("L", "place", "its received calls", { footer: 29, disabledReason: row }),
  tryMapping: key("m", "place", "try the mapping", {
    footer: 32,
    disabledReason: onRow("webhookSources.test"),
  }),
  toggleSource: key("D", "place", "disable or enable", {
    footer: 33,
    disabledReason: onRow("webhookSources.update"),
  }),
  rotateSource: key("S", "place", "rotate the secret", {
    footer: 34,
    disabledReason: onRow("webhookSources.rotate"),
  }),
  deleteSource: key("ctrl+d", "place", "delete", {
    footer: 70,
    disabledReason: onRow("webhookSources.remove"),
  }),
  replayCall: key("R", "place", "let it take effect again", {
    footer: 30,
    disabledReason: firstOf(row, ended, adminMay("webhookSources.replay")),
  }),
  goWebhooks: key("8", "global", "webhooks"),
});

export type WebhookKeys = typeof webhookKeys & ShellKeys;
