import { textOption } from "#cli/command.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { readJsonObject } from "../kit/input/data.ts";
import { listedRecord } from "./records/listed.ts";
import { typeArgument } from "./records/options.ts";
import { recordLines, transportProof, withProof } from "./records/record.ts";

export default command({
  path: "resources create",
  summary: "Create a record",
  arguments: [typeArgument],
  options: {
    "tenant-id": tenantOption,
    data: {
      type: "string",
      placeholder: "json",
      description: "The record's data; `-` reads stdin, `@path` a file",
      excludes: ["file"],
    },
    file: textOption("path", "File with the record's data; `-` reads stdin"),
  },
  calls: ["resources.create"],
  answer: withProof("resources.create"),
  examples: [
    "svc resources create assess-case --data " +
      '\'{"reference":"AC-2026-0099","stage":"validation","opened":"2026-11-20"}\'',
    "svc resources create business-request --file new-request.json",
  ],
  trials: ['street-tree --data {"species":"fir"}'],
  async run(input, context) {
    const given = await readJsonObject(context, input.options);
    const data = listedRecord(given)?.data ?? given;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const record = await client
      .useResources(input.arguments.type)
      .create(data, { signal: context.signal });
    await context.output.data({ ...record, request: transportProof(client) }, () =>
      recordLines(context, record),
    );
  },
});
