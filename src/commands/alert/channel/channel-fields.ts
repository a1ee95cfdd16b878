import type { AlertChannels } from "#contract/events/alerts.ts";

/** A choice as people read it. */
export function channelFields(channels: AlertChannels): [string, string | undefined][] {
  const { role, mail, mutedUntil, mutedRules = [], address, sendsMail, lastMailAt } = channels;
  const words = mail === false ? "no" : "at most one an hour";
  return [
    ["for", role ?? "you"],
    ["mail", sendsMail === false ? "no: this platform has no mail server" : words],
    ["address", address ?? undefined],
    ["muted until", mutedUntil ?? undefined],
    ["muted rules", mutedRules.length === 0 ? undefined : mutedRules.join(", ")],
    ["last mail", lastMailAt ?? undefined],
  ];
}
