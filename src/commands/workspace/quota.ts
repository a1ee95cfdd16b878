import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "workspace quota",
  summary: "Show what the workspace may use, and what it uses",
  description: "The platform's operator sets quotas with `svc serve quota set`.",
  arguments: [],
  options: { workspace: workspaceOption },
  calls: ["quotas.read"],
  answer: "quotas.read",
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options.workspace });
    const answer = await client.quotas.read({ signal });
    const words = (used: number | undefined, limit: number | null): string =>
      [
        ...(used === undefined ? [] : [`${used.toLocaleString("en")} of`]),
        limit?.toLocaleString("en") ?? "no limit",
      ].join(" ");
    await output.data(answer, ({ quota, usage, platform = {} }) => {
      const rate = platform.requestsPerMinute?.toLocaleString("en");
      return output.fields([
        ["records", words(usage.records, quota.records)],
        ["documents", words(usage.documents, quota.documents)],
        ["bytes", words(usage.bytes, quota.bytes)],
        ["requests in a minute", words(undefined, quota.requests)],
        ["platform's requests", rate && `${rate} per minute`],
        ["platform's backup", platform.lastBackupAt ?? undefined],
      ]);
    });
  },
});
