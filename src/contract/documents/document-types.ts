import * as z from "zod";
import { compilePattern, PatternError } from "#lib/pattern.ts";
import { configurationKey } from "./classifiers.ts";
import { alsoNamed, named, sentAs } from "../deployments.ts";
import { fixedListQuery, listBody } from "../lists.ts";
import { rule } from "../plain/rule.ts";
import { json, members, replies, route } from "../route.ts";
import { timestamp } from "../values.ts";

/** States that each character of a text may visit: keeps one document within its budget. */
const patternSize = 200;

const patternText = z.string().min(1).max(500);
/**
 * A pattern in linear time: no backreferences, no lookaround. A client sends any text: the
 * compiler of patterns is larger than all other checks of the contract.
 */
const boundedPattern = sentAs(
  patternText.superRefine((source, context) => {
    try {
      const { size } = compilePattern(source);
      if (size <= patternSize) return;
      const message = `has ${size} states; must have at most ${patternSize}: use fewer repetitions`;
      context.addIssue({ code: "custom", message });
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      context.addIssue({ code: "custom", message: `is not a pattern: ${error.message}` });
    }
  }),
  patternText,
);

const words = z.string().trim().min(1).max(200);
const forms = ["reference", "date", "money", "email", "phone", "postcode", "address"] as const;

const fieldRule = z.discriminatedUnion("method", [
  z.strictObject({
    method: z.literal("pattern"),
    pattern: boundedPattern,
    after: words.optional().describe("Text on the same line, after which the match begins"),
  }),
  z.strictObject({ method: z.literal("label-value"), labels: z.array(words).min(1).max(20) }),
  z.strictObject({
    method: z.literal("table-cell"),
    column: words.describe("Heading of the column"),
    row: words.optional().describe("First cell of the row; default: the first row"),
  }),
  z.strictObject({ method: z.literal("form"), form: z.enum(forms) }),
  z.strictObject({
    method: z.literal("template"),
    template: z.string().min(1).max(1_000).describe("Text with {field} for values of other fields"),
  }),
  z.strictObject({ method: z.literal("model"), instruction: z.string().trim().min(1).max(2_000) }),
]);
/** One way to get a field's value; `template` and `model` also generate text. */
export type FieldRule = z.output<typeof fieldRule>;

const fieldKey = z
  .string()
  .max(100)
  .regex(/^[A-Za-z][A-Za-z0-9_]*$/, "must be a name of letters, digits and underscores")
  .refine(rule("own name"), "is reserved");

const fieldsAtMost = 100;
/** Rules of one field, in the order in which they are tried. */
export const rulesAtMost = 50;

function fieldMap<Field extends z.ZodType>(field: Field) {
  return z
    .record(fieldKey, field)
    .refine(rule("members at most", fieldsAtMost), `must have at most ${fieldsAtMost} fields`);
}

/** An analyzer: the rules of each field, in the order in which they are tried. */
export const analyzerDefinition = z.strictObject({
  displayName: words,
  description: z.string().max(2_000).default(""),
  fields: fieldMap(z.strictObject({ rules: z.array(fieldRule).min(1).max(rulesAtMost) })),
});
export type AnalyzerDefinition = z.output<typeof analyzerDefinition>;

export const scalarFieldTypes = [
  "string",
  "number",
  "integer",
  "boolean",
  "date",
  "money",
] as const;

export const fieldModes = ["extract", "generate"] as const;

/** The methods of rules, for the capabilities. */
export const fieldMethods = fieldRule.options.map((option) => option.shape.method.value);

const typedField = z.strictObject({
  mode: z.enum(fieldModes).default("extract"),
  type: z.enum(scalarFieldTypes).default("string"),
  description: z.string().max(2_000).optional(),
  required: z.boolean().default(false),
  threshold: z.number().min(0).max(1).default(0.5).describe("Below it a user must look"),
});

/** A document type: the fields of documents with a label, and the analyzer that finds them. */
export const documentTypeDefinition = z.strictObject({
  displayName: words,
  description: z.string().max(2_000).default(""),
  status: z.enum(["draft", "active", "retired"]).default("active"),
  label: configurationKey.describe("Documents with this label are of the type"),
  analyzer: configurationKey,
  fields: fieldMap(typedField),
});
export type DocumentTypeDefinition = z.output<typeof documentTypeDefinition>;

/** The file of `svc docs configure-type`: a type with its fields and their rules. */
export const typeConfiguration = z.strictObject({
  documentType: documentTypeDefinition.omit({ fields: true, analyzer: true }).extend({
    key: configurationKey,
    label: configurationKey.optional().describe("Default: the key of the type"),
  }),
  analyzer: configurationKey.optional().describe("Default: the key of the type"),
  fields: z
    .array(typedField.extend({ name: fieldKey, rules: z.array(fieldRule).min(1).max(rulesAtMost) }))
    .min(1)
    .max(fieldsAtMost)
    .refine(rule("each once", "name"), "must not have a name twice"),
});
export type TypeConfiguration = z.output<typeof typeConfiguration>;

const runtime = z.looseObject({
  /** `applied`, or `partial` when some fields can not be read. */
  status: alsoNamed(z.string(), "state"),
  fields: z
    .array(
      z.looseObject({
        field: z.string(),
        status: z.string(),
        reason: z.string().optional(),
      }),
    )
    .optional(),
});
/** True if the fields of a type can be read here, and why not. */
export type RuntimeSync = z.output<typeof runtime>;

const stored = {
  key: named(z.string()),
  displayName: z.string().optional(),
  version: z.int().optional(),
  created_at: timestamp.optional(),
  updated_at: timestamp.optional(),
};
const analyzer = z
  .looseObject({ ...stored, fields: z.record(z.string(), z.unknown()).optional() })
  .meta({ id: "Analyzer" });
export type AnalyzerRecord = z.output<typeof analyzer>;

const documentType = z
  .looseObject({
    ...stored,
    status: z.string().optional(),
    label: z.string().optional(),
    analyzer: z.string().optional(),
    fields: z.record(z.string(), z.unknown()).optional(),
    runtime: alsoNamed(runtime.optional(), "runtimeSync"),
  })
  .meta({ id: "DocumentType" });
/** A stored document type, and whether its fields can be read. */
export type DocumentTypeRecord = z.output<typeof documentType>;

const examplesAtMost = 10;

/** Documents with the text that each shows as the value of one field. */
const markedExamples = z.strictObject({
  type: z.enum(scalarFieldTypes).default("string"),
  examples: z
    .array(
      z.strictObject({
        documentId: z.string().min(1).max(100).describe("A number or UUID"),
        value: z.string().trim().min(1).max(500).describe("As the document writes it"),
      }),
    )
    .min(1)
    .max(examplesAtMost),
});

const learntRules = z.looseObject({
  /** Empty where no rule finds a value and no other text. */
  rules: z.array(z.looseObject({ method: z.string() })),
  examples: z.array(
    z.looseObject({
      documentId: z.string(),
      /** The value that the rules find; null for nothing. */
      value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
      quote: z.string().nullable(),
      page: z.int().nullable(),
      confidence: z.number(),
    }),
  ),
});
/** Rules that find the marked values, and what they find in each document. */
export type LearntRules = z.output<typeof learntRules>;

const removed = z.looseObject({ key: z.string(), removed: z.boolean().optional() });
const source = "spec 4.7; content understanding conventions";
const analyzers = "/v4/data/documents/analyzers";
const types = "/v4/data/documents/document-types";
const analyzerParams = z.object({ analyzerKey: configurationKey });
const typeParams = z.object({ typeKey: configurationKey });
const reader = members("tenant-viewer", "header", source);
const builder = members("tenant-builder", "header", source);

export const documentTypeRoutes = {
  list: route.get(types, {
    summary: "List a workspace's document types",
    ...reader,
    query: fixedListQuery,
    reply: replies(listBody(documentType)),
  }),
  get: route.get(`${types}/{typeKey}`, {
    summary: "A document type, and whether its fields can be read",
    ...reader,
    params: typeParams,
    reply: replies(documentType),
  }),
  put: route.put(`${types}/{typeKey}`, {
    summary: "Configure a document type",
    ...builder,
    params: typeParams,
    body: json(documentTypeDefinition),
    reply: replies(documentType),
    guarded: true,
  }),
  delete: route.delete(`${types}/{typeKey}`, {
    summary: "Remove a document type; documents keep their fields",
    ...builder,
    params: typeParams,
    reply: replies(removed),
    guarded: true,
  }),
  listAnalyzers: route.get(analyzers, {
    summary: "List a workspace's analyzers",
    ...reader,
    query: fixedListQuery,
    reply: replies(listBody(analyzer)),
  }),
  getAnalyzer: route.get(`${analyzers}/{analyzerKey}`, {
    summary: "An analyzer with the rules of its fields",
    ...reader,
    params: analyzerParams,
    reply: replies(analyzer),
  }),
  putAnalyzer: route.put(`${analyzers}/{analyzerKey}`, {
    summary: "Configure an analyzer",
    ...builder,
    params: analyzerParams,
    body: json(analyzerDefinition),
    reply: replies(analyzer),
    guarded: true,
  }),
  learnRules: route.post(`${analyzers}/by-example`, {
    summary: "Rules that find the values which are marked in documents",
    ...members("tenant-builder", "header", source),
    body: json(markedExamples),
    asks: true,
    reply: replies(learntRules),
  }),
  /** 409 while a document type uses it. */
  deleteAnalyzer: route.delete(`${analyzers}/{analyzerKey}`, {
    summary: "Remove an analyzer that no document type uses",
    ...builder,
    params: analyzerParams,
    reply: replies(removed),
    guarded: true,
  }),
};
