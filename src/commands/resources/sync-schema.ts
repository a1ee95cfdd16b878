import { command } from "../command.ts";
import { normalisedBackend, printSync, syncOptions } from "./storage/report.ts";

export const resourcesSyncSchemaCommand = command({
  path: "resources sync-schema",
  summary: "Reconcile storage with the workspace's Object Types",
  rows: ["results"],
  arguments: [],
  options: syncOptions,
  routes: ["POST /v4/data/resources/{tenantId}/storage/sync-schema"],
  async run(input, context) {
    const { backend, "dry-run": dryRun, "tenant-id": workspace } = input.options;
    const client = await context.client({ workspace });
    const report = await client.storage.syncSchema({
      body: { backend: normalisedBackend(backend), dryRun },
      signal: context.signal,
    });
    return printSync(context, report);
  },
});
