import { expect, test } from "vitest";
import { archiveKeys } from "#ui/archives/keys.ts";

const reason = (intent: keyof typeof archiveKeys, facts: object): string | undefined =>
  archiveKeys[intent].entries[0].disabledReason?.of(facts);

test("a lower role, a read-only profile and an archive without a file disable keys", () => {
  const writing = ["makeArchive", "importArchive", "compareArchive", "deleteArchive"] as const;
  for (const intent of writing) {
    expect(reason(intent, { role: "tenant-builder" })).toMatch(/needs the role tenant-admin/);
    expect(reason(intent, { readOnly: "the profile is read-only" })).toMatch(/read-only/);
    expect(reason(intent, { role: "tenant-admin" })).toBe(undefined);
  }
  const saved = { role: "tenant-admin", readOnly: "the profile is read-only", isComplete: true };
  expect(reason("saveArchive", saved)).toBe(undefined);
  expect(reason("saveArchive", { ...saved, isComplete: false })).toMatch(/has no file/);
  expect(reason("saveArchive", { role: "tenant-staff" })).toMatch(/needs the role tenant-admin/);
});
