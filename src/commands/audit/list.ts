import { command } from "../kit/command.ts";
import { pageQuery, printPage } from "../kit/output/pages.ts";
import { filterOf, filterOptions, logClient, logOptions, logPage, logRoutes } from "./entries.ts";

export default command({
  path: "audit list",
  summary: "List changes and refused tries, the newest first",
  description:
    "Who did what, when, from where and with which request; --format json also has what was " +
    "before and after. Reads are listed where they were refused.",
  arguments: [],
  options: {
    ...logOptions,
    ...filterOptions,
  },
  pages: { of: "Entries" },
  calls: logRoutes,
  answer: "audit.list",
  examples: ["svc audit list --outcome refused --since 7d", "svc audit list --action 'members.*'"],
  trials: ["--outcome done", { words: "--platform", at: ["other", "stub"] }],
  async run({ options }, context) {
    const { output, signal } = context;
    const client = await logClient(context, options);
    const query = { ...filterOf(options), ...pageQuery(options) };
    const list = await logPage(client, options.platform, query, signal);
    await printPage(output, list, {
      options,
      none: "No entries match",
      columns: [
        { heading: "time", value: ({ at }) => at, whole: true },
        { heading: "who", value: ({ actor, actorName }) => actorName ?? (actor || "anonymous") },
        { heading: "action", value: ({ action }) => action },
        {
          heading: "outcome",
          value: ({ outcome, code }) =>
            code === null || code === undefined ? outcome : `${outcome}: ${code}`,
        },
        { heading: "from", value: ({ address }) => address, optional: true },
        { heading: "request", value: ({ requestId }) => requestId, optional: true },
      ],
    });
  },
});
