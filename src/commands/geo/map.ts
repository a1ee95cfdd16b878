import { shown, Shown } from "#cli/shown.ts";
import type { Output } from "#cli/output/output.ts";
import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import type { DrawnMap } from "#lib/map/draw-map.ts";
import { counted } from "#lib/text/counted.ts";
import { command } from "../kit/command.ts";
import { readObject } from "../kit/input/data.ts";
import { limitOption, whereOption } from "../kit/output/pages.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { placedItems } from "./placed.ts";

const mostRecords = 10_000;
const defaultRecords = 2_000;
/** The width of a map that is not drawn on a terminal. */
const pipedColumns = 80;
const leastColumns = 20;
const mostColumns = 240;
/** A character is twice as high as wide, and a map half as high as wide. */
const columnsPerRow = 3.6;

interface Place {
  readonly id: string;
  readonly property: string;
  readonly coordinates: readonly [longitude: number, latitude: number];
}

export default command({
  path: "geo map",
  summary: "Draw records or the features of a dataset on a map",
  description:
    "The map shows all points, and one inside of each geometry: `o` is one, a digit that many in " +
    "one place, and `+` ten or more. " +
    "It fits the terminal; elsewhere it has 80 columns and no colour.",
  arguments: [{ name: "type", description: "Exact slug of the Object Type, or of a dataset" }],
  options: {
    "tenant-id": tenantOption,
    property: textOption("name", "Property with the places (default: each that has one)"),
    where: whereOption,
    limit: limitOption("Records or features to read", mostRecords, defaultRecords),
    world: { type: "boolean", description: "Show the whole earth" },
    width: {
      type: "number",
      minimum: leastColumns,
      maximum: mostColumns,
      description: "Columns of the map (default: those of the terminal)",
    },
  },
  calls: ["resources.list", "geoFeatures.list"],
  answer: ({ z }) =>
    z.looseObject({
      places: z.array(
        z.looseObject({ id: z.string(), property: z.string(), coordinates: z.array(z.number()) }),
      ),
      records: z.int().describe("Records or features that were read, also those without a point"),
      hasMore: z.boolean().describe("More records match than were read"),
      bounds: z.array(z.number()).describe("West, south, east, north; east is above 180 across it"),
      map: z.array(z.string()),
    }),
  examples: [
    "svc geo map planning-application",
    `svc geo map planning-application --where '{"status":"open"}' --world`,
  ],
  trials: [
    "street-tree",
    { words: "map-{unique}", after: ["geo datasets create map-{unique}"], isAddition: true },
  ],
  async run({ arguments: { type }, options }, context) {
    if (type.trim() === "") throw usageError("the type is empty");
    const { output, signal } = context;
    const where = await readObject(context, options.where, "--where");
    const client = await context.client({ workspace: options["tenant-id"] });
    const { placesIn } = await import("#lib/map/places.ts");
    const places: Place[] = [];
    let records = 0;
    let hasMore = false;
    const query = { where, limit: options.limit, signal };
    for await (const { id, data } of placedItems(client, type, query)) {
      if (records >= options.limit) {
        hasMore = true;
        break;
      }
      records += 1;
      places.push(...placesIn(data, options.property).map((place) => ({ id, ...place })));
    }
    const onTerminal = output.stdoutIsTerminal ? output.columns : pipedColumns;
    const width = options.width ?? Math.min(mostColumns, Math.max(leastColumns, onTerminal));
    const drawn = await drawPlaces(places, width, options.world === true);
    const { west, south, east, north } = drawn.window;
    const map = drawn.lines.map((line) => line.map(({ text }) => text).join(""));
    const value = { places, records, hasMore, bounds: [west, south, east, north], map };
    await output.data(value, () => [
      ...drawn.lines.map((line) => lineOf(output, line)),
      output.tone("dim", captionOf(value)),
    ]);
  },
});

async function drawPlaces(places: readonly Place[], columns: number, isWorld: boolean) {
  const [{ drawMap }, { coastLines }] = await Promise.all([
    import("#lib/map/draw-map.ts"),
    import("#lib/map/coast.ts"),
  ]);
  return drawMap({
    points: places.map(({ coordinates }) => coordinates),
    coast: coastLines(),
    columns,
    rows: Math.round(columns / columnsPerRow),
    window: isWorld ? { west: -180, south: -90, east: 180, north: 90 } : undefined,
  });
}

function lineOf(output: Output, line: DrawnMap["lines"][number]): Shown {
  const pieces = line.map(({ kind, text }) =>
    kind === "coast" ? output.tone("dim", text) : output.tone("strong", text),
  );
  return Shown.joined(pieces, "");
}

function captionOf({
  places,
  records,
  hasMore,
  bounds,
}: Readonly<{
  places: readonly Place[];
  records: number;
  hasMore: boolean;
  bounds: readonly number[];
}>): Shown {
  const [west = 0, south = 0, east = 0, north = 0] = bounds;
  const what = `${counted(places.length, "point")} of ${counted(records, "record")}`;
  const more = hasMore ? "; there are more records: see --limit" : "";
  const corner = (longitude: number, latitude: number): string =>
    `${Math.abs(latitude).toFixed(2)}${latitude < 0 ? "S" : "N"} ` +
    `${Math.abs(turned(longitude)).toFixed(2)}${turned(longitude) < 0 ? "W" : "E"}`;
  return shown`${what}, from ${corner(west, south)} to ${corner(east, north)}${more}`;
}

/** The longitude between -180 and 180 degrees. */
function turned(longitude: number): number {
  return longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;
}
