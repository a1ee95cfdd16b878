import { textOption } from "#cli/command.ts";
import { usageFormatError } from "#cli/errors.ts";
import { given } from "#lib/given.ts";
import { command } from "../../kit/command.ts";
import { readObject } from "../../kit/input/data.ts";
import { pageQuery, printPage } from "../../kit/output/pages.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { geometryType } from "./fields.ts";

export default command({
  path: "geo features list",
  summary: "List the features of a dataset by box, distance, area and properties",
  rows: ["items"],
  arguments: [{ name: "dataset", description: "Name of the dataset; `svc geo datasets list`" }],
  options: {
    bbox: textOption("box", "west,south,east,north in degrees"),
    near: textOption("place", "longitude,latitude,metres"),
    within: textOption("json", "Only features in this Polygon; `@path` reads a file"),
    intersects: textOption("json", "Only features that meet this geometry; `@path` reads a file"),
    workspace: workspaceOption,
  },
  pages: { of: "Features", where: true, count: "Show the number of all features" },
  calls: ["geoFeatures.query"],
  answer: "geoFeatures.query",
  examples: ["svc geo features list city-parks --near 144.96,-37.81,500"],
  trials: [
    {
      words: "bays-{unique} --bbox 0,0,9,9 --count",
      after: ["geo datasets create bays-{unique}"],
    },
  ],
  async run(input, context) {
    const { output, signal } = context;
    const { options } = input;
    const { bbox, near, within, intersects, where, count } = options;
    const [longitude = 0, latitude = 0, metres = 0] =
      near === undefined ? [] : numbersOf(near, "--near", 3);
    const position: [number, number] = [longitude, latitude];
    const body = {
      ...pageQuery(options),
      ...given({
        bbox: bbox === undefined ? undefined : numbersOf(bbox, "--bbox", 4),
        near: near === undefined ? undefined : { position, metres },
        within: await readObject(context, within, "--within"),
        intersects: await readObject(context, intersects, "--intersects"),
        where: await readObject(context, where, "--where"),
        count,
      }),
    };
    const client = await context.client({ workspace: options.workspace });
    const params = { dataset: input.arguments.dataset };
    const list = await client.geoFeatures.query({ params, body, signal });
    await printPage(output, list, {
      options,
      none: "No features match",
      columns: [
        { heading: "id", value: ({ id }) => id, whole: true },
        { heading: "geometry", value: geometryType },
        { heading: "properties", value: ({ properties }) => JSON.stringify(properties ?? {}) },
        { heading: "metres", value: ({ distance }) => distance?.toString(), optional: true },
      ],
    });
  },
});

function numbersOf(text: string, flag: string, count: number): number[] {
  const numbers = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (numbers.length === count && numbers.every(Number.isFinite)) return numbers;
  throw usageFormatError(flag, `${count} numbers, separated by commas`);
}
