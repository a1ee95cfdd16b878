import { usageError } from "#cli/errors.ts";
import { given } from "#lib/given.ts";
import { command } from "../kit/command.ts";
import { limitOption } from "../kit/output/pages.ts";
import { chosenFields, columnsOption } from "../kit/output/rows.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { datasetsIn, datasetsOption, matchFields, nearOption } from "./matches.ts";
import { positionIn, printMatches } from "./matches.ts";

export default command({
  path: "geo resolve",
  summary: "Find places by a name, an address, a postcode or coordinates",
  description:
    "Searches the workspace's records that have a geopoint or a geometry, and the names of features " +
    "of its " +
    "datasets, then countries, first-level areas, " +
    "places, and Australian suburbs and postcodes; one typing error in a name is corrected. " +
    "Coordinates are decimal, degrees and minutes, geo URIs, British grid, MGRS or geohash.",
  arguments: [{ name: "query", description: "Words of a place, or coordinates" }],
  formats: "rows",
  options: {
    "tenant-id": tenantOption,
    near: nearOption,
    datasets: datasetsOption,
    limit: limitOption("Places", 100, 10),
    columns: columnsOption,
  },
  calls: ["geo.resolveLocation"],
  answer: "geo.resolveLocation",
  examples: [
    'svc geo resolve "Newcastle, NSW"',
    "svc geo resolve Melborne --near 145,-37.8 --limit 3",
    'svc geo resolve "51°28′40″N 0°0′5″W" --format json',
  ],
  trials: ["harbour", "harbour --limit 1"],
  async run({ arguments: { query }, options }, context) {
    if (query.trim() === "") throw usageError("the query is empty");
    const chosen = chosenFields(options.columns, matchFields);
    const near = options.near === undefined ? undefined : positionIn(options.near, "--near");
    const datasets = datasetsIn(options.datasets);
    const client = await context.client({ workspace: options["tenant-id"] });
    const { limit } = options;
    const { signal } = context;
    const matches = await client.places(query, { limit, ...given({ near, datasets }), signal });
    await printMatches(context.output, matches, chosen);
  },
});
