import type { AlertChannels } from "#contract/events/alerts.ts";
import { fieldLines, textLines, type StyledLine } from "../kit/text/styled-lines.ts";
import { distanceWords } from "../kit/text/words.ts";

interface NamedRule {
  readonly id: string;
  readonly name: string;
}

/** The persons whose mails a choice is about. */
export function channelName({ role }: AlertChannels): string {
  return role === undefined ? "yourself" : role.replace("tenant-", "");
}

/** How often alerts are mailed, or why they are not. */
export function channelState(
  { mail, mutedUntil, sendsMail }: AlertChannels,
  nowMs: number,
): string {
  if (sendsMail === false) return "no mail server";
  if (mail === false) return "none";
  if (mutedUntil && Date.parse(mutedUntil) > nowMs)
    return `muted, ends ${distanceWords(mutedUntil, nowMs)}`;
  return "at most one an hour";
}

export function channelLines(
  channels: AlertChannels,
  { width, nowMs }: { readonly width: number; readonly nowMs: number },
  rules: readonly NamedRule[] = [],
): StyledLine[] {
  const { role, address, mutedUntil, mutedRules = [], lastMailAt } = channels;
  const when = (at: string): string => `${distanceWords(at, nowMs)} · ${at}`;
  const nameOf = (id: string): string => rules.find((rule) => rule.id === id)?.name ?? id;
  const fields = fieldLines(
    [
      { name: "for", value: channelName(channels) },
      { name: "mail", value: channelState(channels, nowMs) },
      ...(address ? [{ name: "address", value: address }] : []),
      ...(mutedUntil ? [{ name: "muted until", value: when(mutedUntil) }] : []),
      ...(mutedRules.length === 0
        ? []
        : [{ name: "muted rules", value: mutedRules.map(nameOf).join(", ") }]),
      ...(lastMailAt ? [{ name: "last mail", value: when(lastMailAt) }] : []),
    ],
    width,
  );
  const words =
    role === undefined
      ? "All alerts of an hour are one mail. A member's choice also counts for the alerts of a role."
      : "The choice for alerts to this role. Each of its members may choose less.";
  return [...fields, [], ...textLines(words, width)];
}
