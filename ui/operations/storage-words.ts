import type { StorageDiagnosis, StorageStatus } from "#client/index.ts";
import { counted } from "#lib/text/counted.ts";
import { incompleteCheckNote } from "#contract/errors.ts";
import { failureTexts, type Failure } from "../kit/answers/failure.ts";
import { fieldLines, textLines, type StyledLine } from "../kit/text/styled-lines.ts";
import { countWords, distanceWords } from "../kit/text/words.ts";
import { statusLook } from "../kit/theme/theme.ts";

const heading = (text: string): StyledLine => [{ text, as: "heading" }];
const isFilled = (text: string | undefined) => text !== undefined && text !== "";

/** Names of products in a provider's name, which may have a part of the product after a dash. */
const products: ReadonlyMap<string, string> = new Map([
  ["sqlite", "SQLite"],
  ["postgresql", "PostgreSQL"],
  ["disk", "disk"],
  ["s3", "S3"],
]);
/** The use of the backends that the interface names after products. */
const uses: ReadonlyMap<string, string> = new Map([
  ["postgresql", "catalog"],
  ["documentdb", "records"],
  ["blob", "files"],
  ["search", "search"],
]);

/** The use of a backend and the product that is really there: `records on SQLite`. */
function backendName(backend: string, provider: string | undefined): string {
  if (!isFilled(provider) || provider === undefined) return backend;
  const [product = provider] = provider.split("-");
  return `${uses.get(backend) ?? backend} on ${products.get(product) ?? provider}`;
}

export function statusLines({ backends }: StorageStatus, width: number): StyledLine[] {
  const fields = backends.map(({ backend, provider, status, provisioned, detail }) => {
    const { glyph, token } = statusLook(status);
    const isMissing = provisioned === false;
    const facts = [`${glyph} ${status}`, isMissing ? "not provisioned yet" : "", detail];
    return {
      name: backendName(backend, provider),
      value: facts.filter(isFilled).join("  "),
      as: token,
    };
  });
  return [heading("Storage backends"), ...fieldLines(fields, width)];
}

function findingLines(finding: StorageDiagnosis["findings"][number], width: number): StyledLine[] {
  const { code, subject, backend, count, severity, detail, examples = [], mend } = finding;
  const isWarning = severity === "warning";
  const title = [code, subject ?? backend, count === undefined ? "" : `(${countWords(count)})`];
  const head = `${isWarning ? "▲" : "✗"} ${title.filter(isFilled).join(" ")}`;
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

export function diagnosisLines(
  diagnosis: StorageDiagnosis,
  nowMs: number,
  width: number,
): StyledLine[] {
  const { ok, complete, findings, checked, checkedAt } = diagnosis;
  const amounts = [
    checked?.records === undefined ? "" : counted(checked.records, "record"),
    checked?.files === undefined ? "" : counted(checked.files, "file"),
  ].filter(isFilled);
  const facts = [
    amounts.length === 0 ? "" : `checked ${amounts.join(" and ")}`,
    distanceWords(checkedAt ?? "", nowMs),
  ];
  return [
    heading("Findings"),
    ...(ok
      ? textLines("✓ No findings", width, "good")
      : findings.flatMap((finding) => findingLines(finding, width))),
    ...(complete === false ? textLines(`▲ ${incompleteCheckNote}`, width, "warn") : []),
    ...textLines(facts.filter(isFilled).join(", "), width, "quiet"),
  ];
}

/** The failure of the doctor in place of its findings. */
export function diagnosisFailureLines(failure: Failure, width: number): StyledLine[] {
  const [head, ...rest] = failureTexts(failure);
  return [
    heading("Findings"),
    ...textLines(`✗ ${head}`, width, "bad"),
    ...rest.flatMap((text) => textLines(text, width, "quiet")),
  ];
}
