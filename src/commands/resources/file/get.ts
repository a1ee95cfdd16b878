import { shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import { command } from "../../kit/command.ts";
import { tenantOption } from "../../kit/workspaces/options.ts";
import { contentDescription, contentTarget, writeContent } from "../../kit/output/content.ts";
import { fileArguments } from "../records/options.ts";

export default command({
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
  calls: ["resources.downloadFile"],
  answer: ({ z }) =>
    z.union([
      z.strictObject({
        property: z.string(),
        output: z.string(),
        size: z.int(),
        filename: z.string().optional(),
        contentType: z.string().optional(),
        sha256: z.string().optional(),
        verified: z.boolean().optional(),
      }),
      z.looseObject({ url: z.string(), expiresAt: z.string().optional() }),
    ]),
  examples: [
    "svc resources file get planning-application <id> plans --output plans.pdf",
    "svc resources file get planning-application <id> plans --url",
  ],
  trials: [
    {
      words: "street-tree {record} plan --output {folder}/plan.out",
      after: ["resources file upload street-tree {record} plan plan.txt"],
    },
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
