import { shown } from "#cli/shown.ts";
import { command, tenantOption } from "../../command.ts";
import { confirm } from "../../input/confirm.ts";
import { fileArguments, forceOption } from "../records/options.ts";
import { transportProof } from "../records/record.ts";

export const resourcesFileDeleteCommand = command({
  path: "resources file delete",
  summary: "Delete the file of a record's property",
  arguments: fileArguments,
  options: { "tenant-id": tenantOption, force: forceOption },
  routes: ["DELETE /v4/data/resources/{tenantId}/{objectType}/{id}/files/{propertyName}"],
  async run(input, context) {
    const { type, id, property } = input.arguments;
    const words = `the file ${property} of ${type} ${id}`;
    if (!input.options.force) await confirm(context, `Delete ${words}?`, "--force");
    const client = await context.client({ workspace: input.options["tenant-id"] });
    await client.useResources(type).deleteFile(id, property, { signal: context.signal });
    await context.output.data(
      { id, type, property, deleted: true, request: transportProof(client) },
      () => shown`Deleted ${words}`,
    );
  },
});
