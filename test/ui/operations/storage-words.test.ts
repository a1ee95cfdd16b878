import { expect, test } from "vitest";
import {
  diagnosisFailureLines,
  diagnosisLines,
  statusLines,
} from "#ui/operations/storage-words.ts";
import { failureOf } from "#ui/kit/answers/failure.ts";
import type { StyledLine } from "#ui/kit/text/styled-lines.ts";

const text = (lines: readonly StyledLine[]): string =>
  lines.map((line) => line.map((span) => span.text).join("")).join("\n");

test("a backend has its use, its product and what is missing", () => {
  const backends = [
    { backend: "documentdb", provider: "sqlite-json", status: "ok" },
    { backend: "blob", provider: "s3", status: "failed", provisioned: false, detail: "no bucket" },
    { backend: "other", provider: "", status: "ok" },
  ];
  const shown = text(statusLines({ backends } as never, 80));
  expect(shown).toMatch(/records on SQLite +\S ok/);
  expect(shown).toMatch(/files on S3 +\S failed {2}not provisioned yet {2}no bucket/);
  expect(shown).toMatch(/^other +/m);
});

test("a diagnosis has its findings with examples and the way to mend them", () => {
  const finding = {
    code: "LOST_FILE",
    backend: "blob",
    severity: "error",
    count: 2,
    detail: "Two files are gone",
    examples: ["a.pdf"],
    mend: "restore a backup",
  };
  const nowMs = Date.parse("2026-01-02T00:00:00Z");
  const diagnosis = { ok: false, complete: false, findings: [finding], checked: { records: 1 } };
  const shown = text(diagnosisLines(diagnosis as never, nowMs, 80));
  expect(shown).toContain(
    "✗ LOST_FILE blob (2)\n  Two files are gone\n  - a.pdf\n  mend: restore a backup",
  );
  expect(shown).toContain("▲ ");
  expect(shown).toContain("checked 1 record");
  const sound = { ok: true, complete: true, findings: [] };
  expect(text(diagnosisLines(sound as never, nowMs, 80))).toMatch(/^Findings\n✓ No findings/);
});

test("a failed diagnosis takes the place of its findings", () => {
  const failure = failureOf(new Error("the platform is away"));
  const shown = text(diagnosisFailureLines(failure, 80));
  expect(shown).toMatch(/^Findings\n✗ /);
});
