import { shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import { command, tenantOption } from "../../command.ts";
import { contentDescription, contentTarget, writeContent } from "../../output/content.ts";
import { fileArguments } from "../records/options.ts";

export const resourcesFileGetCommand = command({
  path: "resources file get",
  summary: "Fetch the file of a record's property",
  description: contentDescription,
  arguments: fileArguments,
  options: {
    "tenant-id": tenantOption,
    output: textOption("path", "File to write, or a folder to write into; `-` is stdout"),
    url: {
      type: "boolean",
      description: "Print a URL that reads the file without a token for 15 minutes",
      excludes: ["output"],
    },
  },
  routes: ["GET /v4/data/resources/{tenantId}/{objectType}/{id}/files/{propertyName}"],
  examples: [
    "svc resources file get planning-application <id> plans --output plans.pdf",
    "svc resources file get planning-application <id> plans --url",
  ],
  async run(input, context) {
    const { type, id, property } = input.arguments;
    const { url, output: option } = input.options;
    const target = url ? undefined : contentTarget(context, option);
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const files = client.useResources(type);
    const { signal } = context;
    if (url) {
      const link = await files.fileUrl(id, property, { signal });
      return context.output.data(link, () => shown`${link.url}`);
    }
    const content = await files.downloadFile(id, property, { signal });
    await writeContent(context, content, target, { property });
  },
});
