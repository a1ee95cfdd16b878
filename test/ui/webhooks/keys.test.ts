import { expect, test } from "vitest";
import { webhookKeys } from "#ui/webhooks/keys.ts";

const reason = (intent: keyof typeof webhookKeys, facts: object): string | undefined =>
  webhookKeys[intent].entries[0].disabledReason?.of(facts);

test("a call that waits is not sent again, unless others are marked", () => {
  expect(reason("replayDelivery", { callStatus: "pending" })).toBe("it is pending already");
  expect(reason("replayCall", { callStatus: "waiting", marked: 1 })).toBe(undefined);
  expect(reason("replayCall", { callStatus: "failed" })).toBe(undefined);
});

test("an endpoint that a command pulls is not changed here", () => {
  expect(reason("editEndpoint", { isPulled: true })).toMatch(/^a command pulls/);
  expect(reason("editEndpoint", { role: "tenant-staff" })).toMatch(/tenant-admin/);
});
