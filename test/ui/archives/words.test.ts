import { describe, expect, it } from "vitest";
import type { ArchiveManifest } from "#contract/workspaces/archives.ts";
import {
  archiveName,
  comparisonOutcome,
  groupWords,
  importEffects,
  importOutcome,
  sizeOrProgress,
} from "#ui/archives/words.ts";

const manifest: ArchiveManifest = {
  format: "svc-archive",
  formatVersion: 1,
  createdAt: "2026-11-20T10:00:00.000Z",
  svcVersion: "1",
  workspace: { id: "w", slug: "planning", displayName: "Planning" },
  groups: ["types"],
  parts: [
    { name: "members", count: 2, bytes: 9, sha256: "0" },
    { name: "roles", count: 0, bytes: 0, sha256: "0" },
    { name: "audit", count: 0, bytes: 0, sha256: "0" },
  ],
  files: { count: 1, bytes: 2_100 },
  missing: ["f"],
};
const opened = {
  manifest,
  size: 9,
  isEncrypted: true,
  stream: () => Promise.reject(new Error("unused")),
  members: () => Promise.resolve([]),
};

describe("the text of an archive", () => {
  it("has its time or its id, its groups, and how far its job is", () => {
    const archive = { id: "a-1", status: "running", groups: ["types"], percentCompleted: 41.6 };
    expect(archiveName(archive)).toBe("a-1");
    expect(archiveName({ ...archive, created_at: "2026-11-20T10:00:00Z" })).toMatch(/^2026-11-2/);
    expect([groupWords(archive), sizeOrProgress(archive)]).toEqual(["types", "42 %"]);
    expect(sizeOrProgress({ ...archive, status: "succeeded", size: 2_100 })).toBe("2.1 kB");
  });

  it("says before an import what is in the file, and whom it invites", () => {
    const plain = importEffects(opened, undefined);
    expect(plain[0]).toContain("planning, 2026-11-20T10:00:00.000Z, decrypted: sound");
    expect(plain).toContain("members  2");
    expect(plain).toContain("empty: roles, audit");
    expect(plain).toContain("1 file missing: the store did not have their bytes");
    expect(plain).toContain("its members are listed, and not invited");
    const inviting = importEffects(opened, [{ email: "a@b.example", role: "tenant-staff" }]);
    expect(inviting).toContain("invites a@b.example as tenant-staff");
  });
});

describe("the outcome of an import", () => {
  const parts = [{ name: "records/licence", stored: 1_000, leftOut: 2, refused: 1 }];

  it("has each part, each reason, and both ids", () => {
    const { good, lines } = importOutcome({
      id: "i",
      status: "completed_with_errors",
      parts,
      refused: [{ part: "records/licence", id: "r-9", reason: "status is required" }],
      renamed: [{ archived: "r-1", stored: "r-7" }],
      renamedCount: 3,
      members: [{ email: "a@b.example", role: "tenant-staff" }],
    });
    expect(good).toBe(false);
    expect(lines).toEqual([
      "1,000 lines stored in 1 part",
      "records/licence: 1,000 stored, 2 left out, 1 refused",
      "refused: records/licence r-9: status is required",
      "3 records with a new id:",
      "  r-1 → r-7",
      "  and 2 more",
      "member of the archive: a@b.example (tenant-staff)",
    ]);
  });

  it("says why nothing was stored, and that a running one goes on", () => {
    const error = { code: "conflict", message: "The archive has 5 records; its quota is 1" };
    const failed = importOutcome({ id: "i", status: "failed", error });
    expect(failed).toMatchObject({ good: false, lines: [expect.any(String), error.message] });
    const running = importOutcome({ id: "i", status: "running" });
    expect(running).toEqual({
      good: true,
      lines: ["the import i goes on: the platform finishes it"],
    });
  });
});

it("a comparison has what differs first", () => {
  const { good, lines } = comparisonOutcome(
    [
      { name: "object-types", outcome: "equal", one: 3, other: 3 },
      { name: "audit", outcome: "not compared", one: 9, other: 8 },
      { name: "documents", outcome: "different", one: 1, other: 2 },
      { name: "records/elm", outcome: "missing", one: null, other: 4 },
    ],
    "old",
  );
  expect(good).toBe(false);
  expect(lines).toEqual([
    "3 parts compared with old: 2 not equal",
    "≠ documents: different (1 here, 2 there)",
    "∅ records/elm: missing (0 here, 4 there)",
    "= object-types: equal (3)",
    "· audit: not compared (9 here, 8 there)",
  ]);
  const equal = comparisonOutcome([{ name: "a", outcome: "equal", one: 1, other: 1 }], "b");
  const lines1 = ["1 part compared with b: all equal", "= a: equal (1)"];
  expect(equal).toEqual({ good: true, lines: lines1 });
});
