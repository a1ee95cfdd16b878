import { shown } from "#cli/shown.ts";
import { command } from "../command.ts";
import { cursorOption, limitOption, nextPage, pageOption } from "../resources/records/options.ts";
import { filterOf, filterOptions, logClient, logOptions, logPage, logRoutes } from "./entries.ts";

export const auditListCommand = command({
  path: "audit list",
  summary: "List changes and refused tries, the newest first",
  description:
    "Who did what, when, from where and with which request; --format json also has what was " +
    "before and after. Reads are listed where they were refused.",
  arguments: [],
  options: {
    ...logOptions,
    ...filterOptions,
    page: pageOption("cursor"),
    limit: limitOption("Entries per page"),
    cursor: cursorOption,
  },
  routes: logRoutes,
  examples: ["svc audit list --outcome refused --since 7d", "svc audit list --action 'members.*'"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const client = await logClient(context, options);
    const { cursor, limit, page } = options;
    const place = cursor === undefined ? { page } : { cursor };
    const query = { ...filterOf(options), limit, ...place };
    const list = await logPage(client, options.platform, query, signal);
    await output.data(list, () =>
      output.table(list.items, [
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
      ]),
    );
    if (output.isJson) return;
    if (list.items.length === 0) await output.note(shown`No entries match`);
    if (list.items.length === 0 || list.hasNextPage !== true) return;
    await output.note(output.tone("dim", `More: ${nextPage(list, options)}`));
  },
});
