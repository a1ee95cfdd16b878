import * as z from "zod";
import { alsoNamed, named } from "../deployments.ts";
import { fixedListQuery, listBody } from "../lists.ts";
import { rule } from "../plain/rule.ts";
import { json, members, replies, route } from "../route.ts";
import { storedId, timestamp } from "../values.ts";

/** The key of a classifier, an analyzer, a document type, a label or a field's method. */
export const configurationKey = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "must be in kebab-case");

const lifecycles = ["draft", "active", "retired"] as const;
/** States of a classifier: only an active one classifies documents. */
export type ClassifierLifecycle = (typeof lifecycles)[number];

const share = z.number().min(0).max(1);

/** A phrase rule gives its label when the beginning of a text has enough of its phrases. */
const labelRule = z.strictObject({
  phrases: z.array(z.string().trim().min(2).max(200)).min(1).max(100),
  minimum: z.int().min(1).max(100).default(2),
  confidence: share.default(0.85),
});

const givenLabel = z.strictObject({
  key: configurationKey,
  displayName: z.string().trim().min(1).max(200).optional(),
  description: z.string().max(2_000).optional(),
  /** Default: the threshold of the classifier. */
  threshold: share.optional(),
  /** A retired label stays on documents, and is not given again. */
  retired: z.boolean().optional(),
  rule: labelRule.optional(),
});
export type ClassifierLabel = z.output<typeof givenLabel>;

/** A classifier as a workspace configures it: labels, thresholds and the lifecycle. */
export const classifierDefinition = z.strictObject({
  displayName: z.string().trim().min(1).max(200),
  description: z.string().max(2_000).default(""),
  status: z.enum(lifecycles).default("draft"),
  threshold: share.default(0.5).describe("Below this confidence a user must decide"),
  labels: z
    .array(givenLabel)
    .min(1)
    .max(200)
    .refine(rule("each once", "key"), "must not have a key twice"),
});
export type ClassifierDefinition = z.output<typeof classifierDefinition>;

/** Characters of a training example. */
export const longestExample = 20_000;

export const trainingExample = z.strictObject({
  label: configurationKey,
  text: z.string().min(1).max(longestExample),
});

const exampleBatch = z.strictObject({
  examples: z.array(trainingExample).min(1).max(500),
});

const training = z.looseObject({
  /** `untrained`, `queued`, `trained`, or `failed`. */
  status: alsoNamed(z.string(), "state"),
  modelVersion: z.int().nullable().optional(),
  examples: z.int().optional(),
  heldOut: z.int().nullable().optional(),
  accuracy: z.number().nullable().optional(),
  calibrationError: z.number().nullable().optional(),
  abstained: z.number().nullable().optional(),
  trainedAt: timestamp.nullable().optional(),
  error: z.string().nullable().optional(),
});

const classifier = z
  .looseObject({
    key: named(z.string()),
    displayName: z.string().optional(),
    description: z.string().optional(),
    status: alsoNamed(z.string().optional(), "lifecycle"),
    threshold: z.number().optional(),
    labels: z
      .array(z.looseObject({ key: z.string(), displayName: z.string().optional() }))
      .optional(),
    training: training.optional(),
    version: z.int().optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
  })
  .meta({ id: "Classifier" });
/** A classifier of a workspace with its labels and the state of its model. */
export type ClassifierRecord = z.output<typeof classifier>;

const storedExample = z
  .looseObject({
    id: z.string(),
    label: z.string(),
    text: z.string(),
    /** `given`, or `correction` for the text of a corrected document. */
    source: z.string().optional(),
    documentId: z.string().nullable().optional(),
    created_at: timestamp.optional(),
  })
  .meta({ id: "ClassifierExample" });
/** A text that a classifier learns from. */
export type ClassifierExample = z.output<typeof storedExample>;

const examplesAdded = z.looseObject({ added: z.int(), total: z.int().optional() });

const classified = z.looseObject({
  label: z.string(),
  confidence: z.number(),
  candidates: z.array(z.looseObject({ label: z.string(), confidence: z.number() })),
  method: z.string().optional(),
  classifier: z.string().optional(),
  modelVersion: z.int().nullable().optional(),
});

const params = z.object({ classifierKey: configurationKey });
const base = "/v4/data/documents/classifiers";
const source = "content understanding conventions";

export const classifierRoutes = {
  list: route.get(base, {
    summary: "List a workspace's classifiers",
    ...members("tenant-viewer", "header", source),
    query: fixedListQuery,
    reply: replies(listBody(classifier)),
  }),
  get: route.get(`${base}/{classifierKey}`, {
    summary: "A classifier with its labels and the state of its model",
    ...members("tenant-viewer", "header", source),
    params,
    reply: replies(classifier),
  }),
  /** Creates or replaces it, then trains it. */
  put: route.put(`${base}/{classifierKey}`, {
    summary: "Configure a classifier",
    ...members("tenant-builder", "header", source),
    params,
    body: json(classifierDefinition),
    reply: replies(classifier),
    guarded: true,
  }),
  /** Removes its examples and models; documents keep their labels. */
  delete: route.delete(`${base}/{classifierKey}`, {
    summary: "Remove a classifier with its examples and models",
    ...members("tenant-builder", "header", source),
    params,
    reply: replies(z.looseObject({ key: z.string(), removed: z.boolean().optional() })),
    guarded: true,
  }),
  examples: route.get(`${base}/{classifierKey}/examples`, {
    summary: "List the examples that a classifier learns from, newest first",
    ...members("tenant-viewer", "header", source),
    params,
    query: fixedListQuery,
    reply: replies(listBody(storedExample)),
  }),
  /**
   * All or none; then a training is queued. Examples that the classifier has are skipped, and
   * `added` counts the others. At most 5,000 examples for each classifier.
   */
  addExamples: route.post(`${base}/{classifierKey}/examples`, {
    summary: "Add examples that a classifier learns from",
    ...members("tenant-builder", "header", source),
    params,
    body: json(exampleBatch),
    reply: replies(examplesAdded, 201),
    idempotent: true,
  }),
  removeExample: route.delete(`${base}/{classifierKey}/examples/{exampleId}`, {
    summary: "Remove an example",
    ...members("tenant-builder", "header", source),
    params: params.extend({ exampleId: storedId }),
    reply: replies(z.looseObject({ id: z.string() })),
  }),
  train: route.post(`${base}/{classifierKey}/trainings`, {
    summary: "Train a classifier again from its examples",
    ...members("tenant-builder", "header", source),
    params,
    reply: replies(classifier, 202),
  }),
  classify: route.post(`${base}/{classifierKey}/classifications`, {
    summary: "Classify a text with a classifier; nothing is stored",
    ...members("tenant-viewer", "header", source),
    params,
    body: json(z.strictObject({ text: z.string().min(1).max(200_000) })),
    reply: replies(classified),
    asks: true,
  }),
};
