import type {
  AnalyzerDefinition,
  DocumentTypeDefinition,
  FieldRule,
  RuntimeSync,
} from "#contract/documents/document-types.ts";
import { ownMember } from "#lib/own-member.ts";

type FieldSync = { field: string; status: string; reason?: string };

/** Says for each field of a type if its analyzer can read it here, and why not. */
export function runtimeSyncOf(
  type: DocumentTypeDefinition,
  analyzer: AnalyzerDefinition | undefined,
  hasModel: boolean,
): RuntimeSync {
  const fields = Object.entries(type.fields).map(([field, { mode }]): FieldSync => {
    const reason = reasonAgainst(field, mode, type, analyzer, hasModel);
    return reason === undefined
      ? { field, status: "applied" }
      : { field, status: "skipped", reason };
  });
  const isWhole = fields.every(({ status }) => status === "applied");
  return { status: isWhole ? "applied" : "partial", fields };
}

function reasonAgainst(
  field: string,
  mode: "extract" | "generate",
  type: DocumentTypeDefinition,
  analyzer: AnalyzerDefinition | undefined,
  hasModel: boolean,
): string | undefined {
  if (analyzer === undefined) return `the analyzer "${type.analyzer}" does not exist`;
  const rules = ownMember(analyzer.fields, field)?.rules;
  if (rules === undefined) return `the analyzer "${type.analyzer}" has no rules for it`;
  const fitting = rules.filter((rule) => fitsMode(rule, mode));
  if (fitting.length === 0) {
    return mode === "generate"
      ? "a generated field needs a template or a model"
      : "an extracted field can not come from a template";
  }
  const usable = fitting.filter(({ method }) => method !== "model" || hasModel);
  return usable.length === 0 ? "no model is configured (svc serve --ai-url)" : undefined;
}

/** Text that the document does not contain can only be generated. */
export function fitsMode({ method }: FieldRule, mode: "extract" | "generate"): boolean {
  if (method === "model") return true;
  return (method === "template") === (mode === "generate");
}
