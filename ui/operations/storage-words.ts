import type { StorageDiagnosis, StorageStatus } from "#client/index.ts";
import { counted } from "#lib/counted.ts";
import { failureTexts, type Failure } from "../kit/answers/failure.ts";
import { fieldLines, textLines, type StyledLine } from "../kit/text/styled-lines.ts";
import { statusLook } from "../kit/theme/theme.ts";
import { ageWords, countWords } from "../kit/text/words.ts";

function heading(text: string): StyledLine {
  return [{ text, as: "heading" }];
}

/** Where a workspace's data are kept, and whether that answers. */
export function statusLines({ backends }: StorageStatus, width: number): StyledLine[] {
  const fields = backends.map(({ backend, provider, status, provisioned, detail }) => {
    const look = statusLook(status);
    const facts = [
      `${look.glyph} ${status}`,
      provider,
      provisioned === false ? "not provisioned yet" : undefined,
      detail,
    ];
    return {
      name: backend,
      value: facts.filter((fact) => fact !== undefined && fact !== "").join("  "),
      as: look.token,
    };
  });
  return [heading("Where data are kept"), ...fieldLines(fields, width)];
}

function findingLines(finding: StorageDiagnosis["findings"][number], width: number): StyledLine[] {
  const { code, subject, backend, count, severity, detail, examples = [], mend } = finding;
  const isWarning = severity === "warning";
  const title = [code, subject ?? backend, count === undefined ? "" : `(${countWords(count)})`];
  const head = `${isWarning ? "▲" : "✗"} ${title.filter((part) => part !== undefined && part !== "").join(" ")}`;
  const indented = (text: string, as?: "quiet" | "key"): StyledLine[] =>
    textLines(text, Math.max(1, width - 2), as).map((line) => [{ text: "  " }, ...line]);
  return [
    ...textLines(head, width, isWarning ? "warn" : "bad"),
    ...(detail === undefined ? [] : indented(detail)),
    ...examples.flatMap((example) => indented(`- ${example}`, "quiet")),
    ...(mend === undefined ? [] : indented(`mend: ${mend}`, "key")),
    [],
  ];
}

/** What is wrong in the storage, and what mends each. */
export function diagnosisLines(
  diagnosis: StorageDiagnosis,
  nowMs: number,
  width: number,
): StyledLine[] {
  const { ok, complete, findings, checked, checkedAt } = diagnosis;
  const looked = [
    checked?.records === undefined ? "" : counted(checked.records, "record"),
    checked?.files === undefined ? "" : counted(checked.files, "file"),
  ].filter((part) => part !== "");
  const age = ageWords(checkedAt, nowMs);
  const facts = [looked.length === 0 ? "" : `looked at ${looked.join(" and ")}`, age];
  return [
    heading("What is wrong there"),
    ...(ok
      ? textLines("✓ nothing", width, "good")
      : findings.flatMap((each) => findingLines(each, width))),
    ...(complete === false
      ? textLines(
          "Not everything was looked at: svc serve doctor does, on the platform's machine.",
          width,
          "warn",
        )
      : []),
    ...textLines(facts.filter((fact) => fact !== "").join(", "), width, "quiet"),
  ];
}

/** Why the diagnosis could not be had, in place of it. */
export function diagnosisFailureLines(failure: Failure, width: number): StyledLine[] {
  const [head, ...rest] = failureTexts(failure);
  return [
    heading("What is wrong there"),
    ...textLines(`✗ ${head}`, width, "bad"),
    ...rest.flatMap((text) => textLines(text, width, "quiet")),
  ];
}
