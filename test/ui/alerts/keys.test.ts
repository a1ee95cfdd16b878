import { expect, test } from "vitest";
import { alertKeys } from "#ui/alerts/keys.ts";

const reason = (intent: keyof typeof alertKeys, facts: object): string | undefined =>
  alertKeys[intent].entries[0].disabledReason?.of(facts);

test("an alert that is acknowledged has nothing left to do, unless others are marked", () => {
  expect(reason("acknowledge", { isAcknowledged: true })).toBe(
    "this alert is acknowledged already",
  );
  expect(reason("acknowledge", { isAcknowledged: true, marked: 2 })).toBe(undefined);
  expect(reason("acknowledge", { rows: 0 })).toBe("nothing is selected");
  expect(reason("openSubject", { hasRecord: false })).toBe("this alert is not about a record");
  expect(reason("openSubject", {})).toBe(undefined);
});

test("mails of a role need a builder, own ones do not", () => {
  const facts = { role: "tenant-staff", refusals: {} };
  expect(reason("toggleMail", { ...facts, isOfRole: true })).toMatch(
    /needs the role tenant-builder/,
  );
  expect(reason("editChannel", facts)).toBe(undefined);
});
