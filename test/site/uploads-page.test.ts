import { join } from "node:path";
import { expect, test } from "vitest";
import { openApi } from "#contract/openapi/openapi.ts";
import { commandScopes } from "#contract/access/sign-in.ts";
import { documentJob, finalJobStatuses, stageNames } from "#contract/documents/jobs.ts";
import { documentLifecycles } from "#contract/documents/lifecycles.ts";
import { processingModes } from "#contract/documents/upload-metadata.ts";
import { uploadFieldAliases } from "#contract/documents/upload.ts";
import { maximumUploadFiles } from "#contract/limits.ts";
import { documentStages } from "#server/domains/documents/document-job.ts";
import { repository } from "../architecture/source.ts";

test("the page of uploads has every state, stage, mode, alias, lifecycle and scope", async () => {
  const page = await Bun.file(join(repository, "docs/uploads.md")).text();
  const states = documentJob.shape.status.description?.split("; ")[0]?.split(", ") ?? [];
  expect(states).toHaveLength(7);
  for (const state of states) {
    const isFinal = finalJobStatuses.has(state) ? "yes" : "no";
    expect(page).toContain(`| \`${state}\` | ${isFinal} |`);
  }
  for (const mode of processingModes) {
    const stages = documentStages(mode);
    const words =
      stages.length === stageNames.length ? "all" : stages.map((name) => `\`${name}\``).join(", ");
    expect(page).toContain(`| \`${mode}\` | ${words} |`);
  }
  const named = [...Object.keys(uploadFieldAliases), ...documentLifecycles, ...commandScopes];
  for (const name of named) expect(page).toContain(`\`${name}\``);
  expect(page).toContain(`1 to ${maximumUploadFiles} files`);
});

test("OpenAPI has the states, aliases and the number of files", () => {
  const text = JSON.stringify(openApi({ version: "1" }));
  for (const part of [
    "completed_with_errors, failed, cancelled, interrupted; final are succeeded",
    "also app_key, appKey or verticalKey",
    "config.documentLifecycle",
    `"maxItems":${maximumUploadFiles}`,
  ]) {
    expect(text).toContain(part);
  }
});
