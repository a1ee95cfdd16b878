import { command } from "../kit/command.ts";
import { normalisedBackend, printSync, syncOptions } from "../kit/storage/report.ts";

export default command({
  path: "resources sync-schema",
  summary: "Reconcile storage with the workspace's Object Types",
  rows: ["results"],
  arguments: [],
  options: syncOptions,
  calls: ["storage.syncSchema"],
  answer: "storage.syncSchema",
  trials: ["", "--dry-run --backend search", { words: "--backend blob", at: ["other"] }],
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
