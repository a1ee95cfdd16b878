import { shown } from "#cli/shown.ts";
import { command } from "../../kit/command.ts";
import { dataPlacesOf } from "../data-places.ts";
import { listedQuota, quotaColumns, quotaPlaceOptions } from "./quotas.ts";

export default command({
  path: "serve quota list",
  summary: "List the workspaces with a quota, and what they use",
  arguments: [],
  options: quotaPlaceOptions,
  answer: ({ z }) => z.strictObject({ items: z.array(listedQuota(z)) }),
  examples: ["svc serve quota list --data-dir ./data"],
  trials: ["--data-dir data"],
  async run(input, context) {
    const { output } = context;
    const places = await dataPlacesOf(context, input.options);
    const { listQuotas } = await import("#server/platform/maintenance/quota.ts");
    const items = await listQuotas(places);
    await output.data({ items }, () => output.table(items, quotaColumns));
    if (items.length === 0 && !output.isJson) {
      await output.note(shown`No workspace has a quota: set one with \`svc serve quota set\``);
    }
  },
});
