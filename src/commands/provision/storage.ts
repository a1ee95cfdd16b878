import { command } from "../kit/command.ts";
import { normalisedBackend, printSync, syncOptions } from "../kit/storage/report.ts";

export default command({
  path: "provision storage",
  summary: "Provision a workspace's storage backends",
  rows: ["results"],
  arguments: [],
  options: {
    ...syncOptions,
    "rebuild-search": { type: "boolean", description: "Rebuild the search index" },
  },
  calls: ["storage.provision"],
  answer: "storage.provision",
  trials: [
    "",
    { words: "--dry-run --backend postgresql", at: ["other"] },
    { words: "--rebuild-search --backend search", at: ["other"] },
  ],
  async run({ options }, context) {
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
