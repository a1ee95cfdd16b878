import { textOption } from "#cli/command.ts";
import { importFormats } from "#contract/geo/import-formats.ts";
import { given } from "#lib/given.ts";
import { command } from "../kit/command.ts";
import { localFile } from "../kit/input/files.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { endOfImport, exitCodeOf, importLines, waitOptions } from "./imports/outcome.ts";

export default command({
  path: "geo import",
  summary: "Replace the features of a dataset by those of a file",
  description:
    "Reads GeoJSON, newline-delimited GeoJSON, CSV with coordinates or WKT, GPX and KML, up to 2 " +
    "GiB. The dataset has its former features until all of the file was read. With --wait the " +
    "exit code is 0 when all features are stored, 1 when some are not, and 8 when the wait ended.",
  waits: true,
  arguments: [
    { name: "dataset", description: "Name of the dataset; `svc geo datasets create`" },
    { name: "file", description: "Path of the file" },
  ],
  options: {
    "file-format": {
      type: "string",
      values: importFormats,
      description: "Format of the file (default: by its content)",
    },
    "dry-run": { type: "boolean", description: "Check the file, and store nothing" },
    repair: { type: "boolean", description: "Mend geometries where there is one obvious way" },
    keep: { type: "boolean", description: "Keep geometries whose rings cross each other" },
    skip: { type: "boolean", description: "Leave invalid features out" },
    id: textOption("name", "Property or column with the IDs of features"),
    longitude: textOption("column", "Column of a CSV file with longitudes"),
    latitude: textOption("column", "Column of a CSV file with latitudes"),
    wkt: textOption("column", "Column of a CSV file with geometries as WKT"),
    ...waitOptions,
    workspace: workspaceOption,
  },
  calls: ["geoDatasets.import", "geoDatasets.importJob"],
  answer: "geoDatasets.importJob",
  examples: ["svc geo import city-parks parks.geojson --wait"],
  trials: [{ words: "isles-{unique} plan.txt", after: ["geo datasets create isles-{unique}"] }],
  async run(input, context) {
    const { output, signal } = context;
    const { options } = input;
    const { dataset, file: path } = input.arguments;
    const file = await localFile(context, path);
    const client = await context.client({ workspace: options.workspace });
    const { id, longitude, latitude, wkt, repair, keep, skip } = options;
    const query = given({
      id,
      longitude,
      latitude,
      wkt,
      format: options["file-format"],
      dryRun: options["dry-run"] ? true : undefined,
      repair: repair ? true : undefined,
      keep: keep ? true : undefined,
      skip: skip ? true : undefined,
    });
    const params = { dataset };
    let state = await client.geoDatasets.import({ params, query, content: file.content, signal });
    if (options.wait) {
      state = await endOfImport(context, client, state, options.timeout * 1000);
    }
    await output.data(state, () => importLines(output, state));
    return await exitCodeOf(output, state, options.wait);
  },
});
