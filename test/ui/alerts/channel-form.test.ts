import { expect, test } from "vitest";
import type { AlertChannels } from "#contract/events/alerts.ts";
import {
  channelChanges,
  channelData,
  channelFields,
  channelOptions,
} from "#ui/alerts/channel-form.ts";

const own = { mail: true, mutedUntil: null, mutedRules: ["r-1"] };

test("a person's choice has times and rules, that for a role the mails alone", () => {
  const names = (channels: AlertChannels) => channelFields(channels, []).map(({ name }) => name);
  expect(names(own)).toEqual(["mail", "mutedUntil", "mutedRules"]);
  expect(names({ role: "tenant-staff", mail: true })).toEqual(["mail"]);
});

test("changes are those of the form alone, and what is emptied ends", () => {
  const before = channelData({ ...own, mutedUntil: "2027-01-04T08:00:00.000Z" });
  expect(channelChanges(before, before)).toEqual({});
  const changes = channelChanges(before, { mail: false });
  expect(changes).toEqual({ mail: false, mutedUntil: null, mutedRules: [] });
  expect(channelOptions(changes)).toEqual({
    "no-mail": true,
    "muted-until": "none",
    "muted-rules": "none",
  });
});
