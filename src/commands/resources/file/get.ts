import { shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import type { StoredContent } from "#client/surface/content.ts";
import { missingField } from "#cli/errors.ts";
import { command, tenantOption } from "../../command.ts";
import type { CommandContext } from "../../context.ts";
import { fileArguments } from "../records/options.ts";

export const resourcesFileGetCommand = command({
  path: "resources file get",
  summary: "Fetch the file of a record's property",
  description:
    "Without --output its bytes go to stdout unchanged; a terminal shows only text. An existing " +
    "file is replaced in one step after every byte has arrived and matches the digest; it is kept " +
    "when the platform sends neither a length nor a digest. In a folder the file gets its stored " +
    "name, made safe, and replaces no other file.",
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
    const { output, signal } = context;
    const target = input.options.output === "-" ? undefined : input.options.output;
    if (target === undefined && output.isJson && !input.options.url) {
      throw missingField("--output", "With --format json, stdout is JSON: name a file to write");
    }
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const files = client.useResources(type);
    if (input.options.url) {
      const link = await files.fileUrl(id, property, { signal });
      return output.data(link, () => shown`${link.url}`);
    }
    const content = await files.downloadFile(id, property, { signal });
    if (target !== undefined) return save(context, property, content, target);
    if (output.stdoutIsTerminal) {
      const { answerTerminal } = await import("../../publicapi/answer.ts");
      return answerTerminal(context, content.response);
    }
    for await (const chunk of content.chunks()) await output.raw(chunk);
    if (!content.showsItsEnd) await noteUnshownEnd(context);
  },
});

async function save(
  context: CommandContext,
  property: string,
  content: StoredContent,
  target: string,
): Promise<void> {
  const { output } = context;
  const { saveContent } = await import("../../output/save.ts");
  const saved = await saveContent(context, content, target);
  const { contentType, filename, sha256, showsItsEnd: verified } = content;
  await output.data({ property, ...saved, filename, contentType, sha256, verified }, () =>
    output.fields([
      ["output", saved.output],
      ["filename", filename],
      ["content type", contentType],
      ["size", `${saved.size} bytes`],
      ["sha256", sha256],
    ]),
  );
  if (!verified) await noteUnshownEnd(context);
}

async function noteUnshownEnd({ output }: CommandContext): Promise<void> {
  const { unshownEnd } = await import("../../output/save.ts");
  await output.note(shown`Check the size: ${unshownEnd}, so it may be incomplete`);
}
