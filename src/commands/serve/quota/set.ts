import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import { command } from "../../kit/command.ts";
import { dataPlacesOf } from "../data-places.ts";
import { limitIn, listedQuota, quotaColumns, quotaPlaceOptions } from "./quotas.ts";

export default command({
  path: "serve quota set",
  summary: "Limit what a workspace may store and send",
  description:
    "Changes the given limits and keeps the others; `none` removes one. A running platform " +
    "follows within seconds. Stored data stay, and can be deleted.",
  arguments: [{ name: "workspace", description: "ID or slug of the workspace" }],
  options: {
    ...quotaPlaceOptions,
    bytes: textOption("bytes", "Bytes of the files of records and documents, e.g. 500M or 20G"),
    records: textOption("count", "Records"),
    documents: textOption("count", "Documents"),
    requests: textOption("count", "Requests in a minute, of all members together"),
  },
  answer: ({ z }) => listedQuota(z),
  examples: ["svc serve quota set planning --data-dir ./data --bytes 20G --records 100000"],
  trials: [],
  async run(input, context) {
    const { options } = input;
    const { output } = context;
    const given = {
      bytes: limitIn("--bytes", options.bytes),
      records: limitIn("--records", options.records),
      documents: limitIn("--documents", options.documents),
      requests: limitIn("--requests", options.requests),
    };
    const changes = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    );
    if (Object.keys(changes).length === 0) {
      throw usageError("no limit is given", "Give --bytes, --records, --documents or --requests");
    }
    const places = await dataPlacesOf(context, options);
    const { setQuota } = await import("#server/platform/maintenance/quota.ts");
    const listed = await setQuota(places, input.arguments.workspace, changes);
    await output.data(listed, () => output.table([listed], quotaColumns));
  },
});
