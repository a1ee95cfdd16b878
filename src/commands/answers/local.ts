import * as z from "zod";
import { answer, oneOf, sourced, type Answer } from "./answer.ts";

const text = z.string();
const texts = z.array(z.string());
const skipped = z.array(z.looseObject({ name: text }));
const managedFile = z.looseObject({ path: text, state: text });
const refreshed = z.looseObject({ path: text, action: z.string(), backup: text.optional() });
const finding = z.strictObject({
  check: text,
  state: z.enum(["ok", "fixed", "warning", "failed"]),
  detail: text,
  next: text.optional(),
});
const catalogEntry = z.strictObject({
  code: text,
  message: text,
  suggestion: text,
  exitCode: z.int(),
  raised: text.optional(),
});
const settings = z.strictObject({
  profile: sourced(text),
  baseUrl: sourced(text),
  authUrl: sourced(text),
  workspace: sourced(z.looseObject({ id: text })).optional(),
  appKey: sourced(text).optional(),
  configDirectory: sourced(text),
});
const backupFacts = {
  database: z.looseObject({ engine: text, included: z.boolean() }),
  files: z.strictObject({ count: z.int(), bytes: z.int() }),
};
const limit = z.int().nullable();
const listedQuota = z.strictObject({
  workspaceId: text,
  slug: text,
  quota: z.strictObject({ bytes: limit, records: limit, documents: limit, requests: limit }),
  usage: z.strictObject({ bytes: z.int(), records: z.int(), documents: z.int() }),
});
const block = z.strictObject({
  id: text,
  name: text,
  summary: text,
  kind: text,
  lane: text,
  coupling: text,
  readiness: text,
  packageProfile: text,
  package: text,
  routes: texts,
  commands: texts,
  objectTypes: texts,
  reasons: texts,
});
const selected = z.looseObject({ id: text }).optional();

/** Answers of the other commands, by their paths. */
export const localAnswers: Readonly<Record<string, Answer>> = {
  login: answer({
    signedIn: z.literal(true),
    email: text.optional(),
    baseUrl: text,
    workspace: selected,
  }),
  logout: answer({ signedOut: z.boolean() }),
  whoami: oneOf(
    answer({
      signedIn: z.literal(true),
      source: z.enum(["environment", "tokens.json"]),
      email: text.optional(),
      name: text.optional(),
      oid: text.optional(),
      expiresAt: text.optional(),
      expired: z.boolean(),
      renewable: z.boolean(),
      settings,
    }),
    answer({ signedIn: z.literal(false), otherOrigins: texts, settings }),
  ),
  init: {
    schema: z.looseObject({
      root: text,
      template: text,
      app: z.looseObject({ key: text, created: z.boolean(), workspace: text }).optional(),
      files: texts,
    }),
  },
  "template check": answer({
    ok: z.boolean(),
    template: text,
    version: text,
    preserveUi: z.boolean(),
    files: z.array(managedFile),
    plan: text.optional(),
  }),
  "gofer refresh": answer({
    ok: z.boolean(),
    check: z.boolean(),
    root: text,
    files: z.array(refreshed),
  }),
  "deploy setup": answer({
    repo: text,
    host: text,
    defaultBranch: text.optional(),
    variable: z.strictObject({ name: text, value: text, created: z.boolean() }),
    workflows: texts,
  }),
  "deploy trigger": answer({
    repo: text,
    branch: text,
    workflow: text,
    triggered: z.literal(true),
  }),
  "deploy status": answer({
    repo: text,
    runs: z.array(
      z.strictObject({
        id: z.number().optional(),
        workflow: text.optional(),
        branch: text.optional(),
        status: text,
        conclusion: text.optional(),
        startedAt: text.optional(),
        url: text.optional(),
      }),
    ),
  }),
  doctor: answer({ ok: z.boolean(), findings: z.array(finding) }),
  update: {
    schema: z.looseObject({
      ok: z.boolean(),
      version: text,
      update: z.looseObject({ latest: text, isNewer: z.boolean() }).optional(),
      project: z
        .strictObject({ root: text, files: z.array(refreshed), matches: z.boolean() })
        .optional(),
    }),
  },
  "env pull": answer({
    store: text,
    project: text,
    label: text,
    file: text,
    written: texts,
    unchanged: z.int(),
    skipped,
  }),
  "env list": answer({
    file: text,
    variables: z.array(z.strictObject({ name: text, value: text, secret: z.boolean() })),
  }),
  "env push": answer({ store: text, project: text, label: text, pushed: texts, skipped }),
  "types validate": answer({
    valid: z.literal(true),
    file: text,
    objectTypes: z.array(z.looseObject({ slug: text })),
    foreignTargets: z.array(z.strictObject({ pointer: text, target: text })).optional(),
  }),
  "blocks list": answer({
    groupBy: text,
    groups: z.array(z.strictObject({ name: text, blocks: z.array(block) })),
    total: z.int(),
  }),
  "blocks describe": { schema: block },
  "blocks readiness": answer({
    counts: z.record(z.string(), z.int()),
    blocks: z.array(z.looseObject({ id: text, readiness: text })),
  }),
  "blocks schema": { schema: z.looseObject({ $schema: text }) },
  "blocks validate": answer({
    valid: z.boolean(),
    strict: z.boolean(),
    source: text,
    blocks: z.int(),
    faults: z.array(z.strictObject({ pointer: text, detail: text })),
  }),
  serve: {
    form: "lines",
    schema: z.strictObject({ url: text, authUrl: text, dataDir: text, pid: z.int() }),
  },
  "serve token": { schema: z.looseObject({ token: text, expiresAt: text }) },
  "serve backup": {
    schema: z.looseObject({
      output: text,
      createdAt: text,
      complete: z.boolean(),
      ...backupFacts,
      lostCount: z.int(),
      lost: z.array(z.strictObject({ workspaceId: text, sha256: text, reason: text })),
    }),
  },
  "serve restore": {
    schema: z.looseObject({ dataDir: text, createdAt: text, ...backupFacts }),
  },
  "serve doctor": answer({
    ok: z.boolean(),
    findings: z.array(z.looseObject({ code: text, count: z.int(), fixed: z.boolean() })),
    checked: z.record(z.string(), z.int()),
  }),
  "serve quota list": answer({ items: z.array(listedQuota) }),
  "serve quota set": { schema: listedQuota },
  "serve rotate-key": {
    schema: z.looseObject({ keyFile: text, keyId: text, previousKeyId: text.optional() }),
  },
  "serve rotate-signing-key": {
    schema: z.looseObject({ kid: text, previousKid: text, signsFrom: text, previousUntil: text }),
  },
  "serve migrate": answer({ applied: texts, schema: text }),
  demo: {
    schema: z
      .unknown()
      .describe("The steps of the tour; with words after `--` the answer of that command"),
  },
  support: {
    schema: z.union([
      z.strictObject({ contextFile: text }),
      z.looseObject({
        status: z.enum([
          "consent_required",
          "consent_stale",
          "declined",
          "signed_out",
          "region_required",
          "created",
          "failed",
        ]),
        previewText: text.optional(),
        bundleDigest: text.optional(),
        url: text.optional(),
        expiresAt: text.optional(),
        chatUrl: text.optional(),
      }),
    ]),
  },
  errors: oneOf(answer({ errors: z.array(catalogEntry) }), { schema: catalogEntry }),
};
