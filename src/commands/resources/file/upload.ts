import { textOption } from "#cli/command.ts";
import { inputError, missingField } from "#cli/errors.ts";
import { chunksUntil, streamOf } from "#lib/network/stream.ts";
import { command } from "../../kit/command.ts";
import { tenantOption } from "../../kit/workspaces/options.ts";
import type { CommandContext } from "../../kit/context.ts";
import { withFirst } from "../../kit/input/data.ts";
import { fileProgress, localFile, mediaTypeOf } from "../../kit/input/files.ts";
import { fileArguments } from "../records/options.ts";

/** The content of stdin. An empty one is refused: it may be the output of a failed command. */
async function standardInput(
  { environment, signal }: CommandContext,
  filename: string | undefined,
) {
  const { stdin } = environment;
  if (stdin.isTerminal) throw inputError("- reads stdin, but stdin is a terminal");
  if (filename === undefined) throw missingField("--filename", "stdin has no file name");
  const chunks = chunksUntil(stdin.stream(), signal);
  const first = await chunks.next();
  if (first.done === true) throw inputError("stdin is empty", "Send an empty file by its path");
  return { filename, content: streamOf(withFirst(first.value, chunks)) };
}

export default command({
  path: "resources file upload",
  summary: "Put a file on a record's property",
  description:
    "It replaces and deletes the current file, and creates a new version of the record. A file " +
    "is sent once: when the connection breaks after the last byte, check the record before you " +
    "send it again.",
  arguments: [
    ...fileArguments,
    { name: "path", description: "Path of the file; `-` reads stdin, with --filename" },
  ],
  options: {
    "tenant-id": tenantOption,
    filename: textOption("name", "Name to store (default: the path's last part)"),
    "content-type": {
      type: "string",
      placeholder: "type",
      description: "Media type (default: by the name's extension, else application/octet-stream)",
    },
  },
  calls: ["resources.uploadFile"],
  answer: "resources.uploadFile",
  examples: [
    "svc resources file upload planning-application <id> plans plans.pdf",
    "gzip -dc plans.pdf.gz | svc resources file upload planning-application <id> plans - " +
      "--filename plans.pdf",
  ],
  trials: ["street-tree {record} plan plan.txt"],
  async run(input, context) {
    const { type, id, property, path } = input.arguments;
    const { output, signal } = context;
    const { filename, "content-type": contentType } = input.options;
    const isStdin = path === "-";
    const file = isStdin ? await standardInput(context, filename) : await localFile(context, path);
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const name = filename ?? file.filename;
    const progress = fileProgress(context, `Sending ${name}`);
    const uploaded = await client.useResources(type).uploadFile(id, property, file.content, {
      filename: name,
      contentType: contentType ?? mediaTypeOf(name, path),
      signal,
      onProgress: (sent, total) => progress(sent, isStdin ? undefined : total),
    });
    await output.data(uploaded, () =>
      output.fields([
        ["property", uploaded.property ?? property],
        ["filename", uploaded.filename],
        ["content type", uploaded.contentType],
        ["size", uploaded.size === undefined ? undefined : `${uploaded.size} bytes`],
        ["sha256", uploaded.sha256],
        ["version", uploaded.version?.toString()],
      ]),
    );
  },
});
