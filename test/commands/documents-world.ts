import { join } from "node:path";
import { beforeAll } from "vitest";
import { workflowTypes } from "#server/sample-data/object-types.ts";
import { workflowRecords } from "#server/sample-data/records.ts";
import { field } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, type CommandWorld } from "./world.ts";

export interface DocumentWorld extends CommandWorld {
  /** A planning application that documents can belong to. */
  readonly applicationId: string;
  /** `--planning-application-id` and it. */
  readonly context: readonly string[];
  /** A folder with files to upload. */
  readonly files: string;
}

/** A platform with a planning application, and the workflow `planning-assistant` of an app. */
export function documentWorld(): () => DocumentWorld {
  const the = commandWorld();
  let world: DocumentWorld | undefined;
  beforeAll(async () => {
    const { platform } = the();
    const admin = platform.as("tenant-admin");
    const { tenant } = platform.workspaces;
    const headers = { "x-tenant-id": tenant };
    const planningApplication = {
      name: "PlanningApplication",
      slug: "planning-application",
      properties: { reference: { type: "string" } },
    };
    for (const type of [planningApplication, ...workflowTypes]) {
      await admin.post("/v4/data/resources/object-types", type, { headers });
    }
    for (const [slug, data] of Object.entries(workflowRecords)) {
      await admin.post(`/v4/data/resources/${tenant}/${slug}`, data);
    }
    const path = `/v4/data/resources/${tenant}/planning-application`;
    const applicationId = String(field((await admin.post(path, { reference: "PA-1" })).json, "id"));
    const files = await temporaryDirectory("files");
    await Bun.write(
      join(files, "letter.txt"),
      "Letter about 18 Quay Street.\n\nThe plan provides 24 parking spaces in the rear yard.\n" +
        "Deliveries are made between nine and eleven in the morning.\n",
    );
    await Bun.write(join(files, "empty.pdf"), "");
    await Bun.write(join(files, "corrupt.pdf"), "%PDF-1.7 and nothing else");
    const context = ["--planning-application-id", applicationId];
    world = { ...the(), applicationId, context, files };
  });
  return () => {
    if (world === undefined) throw new Error("the documents are not there before the tests run");
    return world;
  };
}
