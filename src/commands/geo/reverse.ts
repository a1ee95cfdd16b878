import { given } from "#lib/given.ts";
import { command } from "../kit/command.ts";
import { limitOption } from "../kit/output/pages.ts";
import { chosenFields, columnsOption } from "../kit/output/rows.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { datasetsIn, datasetsOption, matchFields, positionIn, printMatches } from "./matches.ts";

export default command({
  path: "geo reverse",
  summary: "Find what is at a point, and the areas around it",
  description:
    "Lists the workspace's records and features within 500 metres, then the nearest places. The " +
    "areas are those that have the point: features of datasets, then those of the gazetteer.",
  arguments: [{ name: "point", description: "Longitude and latitude in degrees: lon,lat" }],
  formats: "rows",
  options: {
    "tenant-id": tenantOption,
    datasets: datasetsOption,
    limit: limitOption("Places", 100, 5),
    columns: columnsOption,
  },
  calls: ["geo.resolveLocation"],
  answer: "geo.resolveLocation",
  examples: ["svc geo reverse 151.77,-32.93", "svc geo reverse -1.6,54.97 --limit 1 --format json"],
  trials: ["1.5,2.5"],
  async run({ arguments: { point }, options }, context) {
    const chosen = chosenFields(options.columns, matchFields);
    const position = positionIn(point, "point");
    const datasets = datasetsIn(options.datasets);
    const client = await context.client({ workspace: options["tenant-id"] });
    const { limit } = options;
    const { signal } = context;
    const matches = await client.places(position, { limit, ...given({ datasets }), signal });
    await printMatches(context.output, matches, chosen);
  },
});
