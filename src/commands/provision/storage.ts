import { command } from "../command.ts";
import { normalisedBackend, printSync, syncOptions } from "../resources/storage/report.ts";

export const provisionStorageCommand = command({
  path: "provision storage",
  summary: "Provision a workspace's storage backends",
  rows: ["results"],
  arguments: [],
  options: {
    ...syncOptions,
    "rebuild-search": { type: "boolean", description: "Rebuild the search index" },
  },
  routes: ["POST /v4/data/resources/{tenantId}/storage/provision"],
  async run(input, context) {
    const { options } = input;
    const client = await context.client({ workspace: options["tenant-id"] });
    const report = await client.storage.provision({
      body: {
        backend: normalisedBackend(options.backend),
        dryRun: options["dry-run"],
        rebuildSearch: options["rebuild-search"],
      },
      signal: context.signal,
    });
    return printSync(context, report);
  },
});
