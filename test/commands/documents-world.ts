import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import * as z from "zod";
import { blankVerticalTemplate } from "#server/domains/starter-templates/service.ts";
import { workflowRecords } from "#server/sample-data/sample-records.ts";
import { field } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, type Called, type CallSettings, type CommandWorld } from "./world.ts";

/** The answer of an upload. */
export const accepted = z.looseObject({
  jobId: z.string(),
  documentId: z.string(),
  documentNumber: z.string(),
  status: z.string(),
});

export interface DocumentWorld extends CommandWorld {
  /** Runs `svc docs <words> --format json` as staff, in the folder with the files. */
  docs(words: readonly string[], settings?: CallSettings): Promise<Called>;
  /** Uploads a new text, and returns the answer. */
  upload(name: string): Promise<z.output<typeof accepted>>;
  /** A planning application that documents can belong to. */
  readonly applicationId: string;
  /** The option `--planning-application-id` and its value. */
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
    for (const type of [planningApplication, ...blankVerticalTemplate.objectTypes]) {
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
    const docs: DocumentWorld["docs"] = (words, settings) =>
      the().json(["docs", ...words], { as: "tenant-staff", currentDirectory: files, ...settings });
    const upload: DocumentWorld["upload"] = async (name) => {
      const text = `A note called ${name}, about nothing else at all.\n\nMaterial: oak\n`;
      await Bun.write(join(files, name), text);
      const { json } = await docs(["upload", name, ...context]);
      return accepted.parse(json);
    };
    world = { ...the(), applicationId, context, files, docs, upload };
  });
  afterAll(() => {
    world = undefined;
  });
  return () => {
    if (world === undefined) throw new Error("the documents exist only while the tests run");
    return world;
  };
}
