import { catalogError } from "#contract/errors.ts";
import { command, tenantOption } from "../command.ts";
import { readJsonObject } from "../input.ts";
import { recordLines } from "./record.ts";
import { recordOfType } from "./listed-record.ts";
import { recordArguments } from "./options.ts";

/** `svc resources update <type> <id>` (spec 4.7). */
export const resourcesUpdateCommand = command({
  path: "resources update",
  summary: "Replace a record's data",
  description:
    "The data replaces what is stored. --version names the version that the change was made " +
    "from; without it the current one is fetched first. A whole record, as `resources get` writes " +
    "it, brings its own version.",
  arguments: recordArguments,
  options: {
    "tenant-id": tenantOption,
    data: {
      type: "string",
      required: true,
      placeholder: "json",
      description: "The record's new data; `-` reads stdin, `@path` a file",
    },
    version: {
      type: "number",
      minimum: 1,
      maximum: 2_147_483_647,
      description: "Version that the change was made from",
    },
  },
  routes: [
    "GET /v4/data/resources/{tenantId}/{objectType}/{id}",
    "PUT /v4/data/resources/{tenantId}/{objectType}/{id}",
  ],
  examples: ["svc resources update business-request <id> --data @request.json"],
  async run(input, context) {
    const { type, id } = input.arguments;
    const given = await readJsonObject(context, { data: input.options.data });
    const whole = recordOfType(given, type, "#");
    if (whole !== undefined && whole.id !== id) {
      throw catalogError("E302", {
        details: `#/id is ${JSON.stringify(whole.id)}, another record's`,
      });
    }
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const record = await client.useResources(type).update(id, whole?.data ?? given, {
      version: input.options.version ?? whole?.version,
      signal: context.signal,
    });
    await context.output.data(record, () => recordLines(context, record));
  },
});
