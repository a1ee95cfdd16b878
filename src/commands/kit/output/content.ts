import { shown } from "#cli/shown.ts";
import { missingField } from "#cli/errors.ts";
import type { StoredContent } from "#client/files/content.ts";
import type { CommandContext } from "../context.ts";

/** The description of commands that fetch stored bytes. */
export const contentDescription =
  "Without --output its bytes go to stdout unchanged; a terminal shows only text. An existing " +
  "file is replaced in one step after every byte has arrived and matches the digest; it is kept " +
  "when the platform sends neither a length nor a digest. In a folder the file gets its stored " +
  "name, made safe, and replaces no other file.";

/** The file or folder in `--output`; undefined for stdout. Throws E303 if stdout has JSON. */
export function contentTarget(
  { output }: CommandContext,
  option: string | undefined,
): string | undefined {
  const target = option === "-" ? undefined : option;
  if (target === undefined && output.isJson) {
    throw missingField("--output", "With --format json, stdout is JSON: name a file to write");
  }
  return target;
}

/** Writes stored bytes to stdout, or saves them and prints `facts` with what was saved. */
export async function writeContent(
  context: CommandContext,
  content: StoredContent,
  target: string | undefined,
  facts: Readonly<Record<string, string>>,
): Promise<void> {
  const { output } = context;
  if (target !== undefined) return save(context, content, target, facts);
  if (output.stdoutIsTerminal) {
    const { answerTerminal } = await import("./response.ts");
    return answerTerminal(context, content.response);
  }
  for await (const chunk of content.chunks()) await output.raw(chunk);
  if (!content.showsItsEnd) await noteUnshownEnd(context);
}

async function save(
  context: CommandContext,
  content: StoredContent,
  target: string,
  facts: Readonly<Record<string, string>>,
): Promise<void> {
  const { output } = context;
  const { saveContent } = await import("./save.ts");
  const saved = await saveContent(context, content, target);
  const { contentType, filename, sha256, showsItsEnd: verified } = content;
  await output.data({ ...facts, ...saved, filename, contentType, sha256, verified }, () =>
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
  const { unshownEnd } = await import("./save.ts");
  await output.note(shown`Check the size: ${unshownEnd}, so it may be incomplete`);
}
