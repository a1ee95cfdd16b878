import { command } from "../command.ts";
import { backendOption, normalisedBackend, storageOptions, printSync } from "./storage-report.ts";

/** `svc resources sync-schema` (spec 4.7). */
export const resourcesSyncSchemaCommand = command({
  path: "resources sync-schema",
  summary: "Reconcile storage with the workspace's Object Types",
  arguments: [],
  options: {
    ...storageOptions,
    backend: backendOption,
    "dry-run": { type: "boolean", description: "Say what would be done, and change nothing" },
  },
  routes: ["POST /v4/data/resources/{tenantId}/storage/sync-schema"],
  async run(input, context) {
    const { options } = input;
    const { signal } = context;
    const client = await context.client({ workspace: options["tenant-id"] });
    const report = await client.storage.syncSchema({
      body: { backend: normalisedBackend(options.backend), dryRun: options["dry-run"] },
      signal,
    });
    return printSync(context, report);
  },
});
