import { join } from "node:path";
import { shown } from "#cli/shown.ts";
import { inputError } from "#cli/errors.ts";
import { exitCodes } from "#contract/errors.ts";
import type { DocumentRecord } from "#contract/documents/records.ts";
import { given } from "#lib/given.ts";
import { ownMember } from "#lib/own-member.ts";
import { savedName } from "#lib/files/saved-name.ts";
import { shellWord } from "#lib/text/shell-word.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { documentArgument } from "./arguments.ts";

/** The endings of files that viewers show and no desktop runs. */
const endings: Readonly<Record<string, string>> = {
  "application/pdf": ".pdf",
  "application/rtf": ".rtf",
  "application/json": ".json",
  "application/vnd.ms-outlook": ".msg",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/gif": ".gif",
  "image/tiff": ".tiff",
  "image/webp": ".webp",
  "message/rfc822": ".eml",
  "text/csv": ".csv",
  "text/markdown": ".md",
  "text/plain": ".txt",
};

export default command({
  path: "docs open",
  summary: "Open a document's original file in its viewer",
  description:
    "The file is kept in a private folder for a day. Its ending follows the detected media type, " +
    "so that no desktop runs it; web pages and unknown types are refused. Exits with 1 when no " +
    "viewer started. The variable BROWSER names another viewer; with `none` the file is only " +
    "saved.",
  arguments: [documentArgument],
  options: { "tenant-id": tenantOption },
  calls: ["documents.record", "documents.content"],
  answer: ({ z }) =>
    z.strictObject({ documentId: z.string(), output: z.string(), opened: z.boolean() }),
  examples: ["svc docs open DOC-2026-000001"],
  trials: [{ words: "{document}", at: ["other", "stub"] }],
  async run(input, context) {
    const { output, signal } = context;
    const { documentId } = input.arguments;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const documents = client.useDocuments();
    const record = await documents.record(documentId, { signal });
    const name = viewedName(record, documentId);
    const { openedFolder } = await import("#local/configuration/opened-files.ts");
    const { configDirectory } = await context.settings();
    const folder = await openedFolder(configDirectory.value, Date.now());
    const { size, sha256 } = record;
    const expected = {
      ...given({ size, sha256 }),
    };
    const content = await documents.content(documentId, { signal, expected });
    const { saveContent } = await import("../kit/output/save.ts");
    const saved = await saveContent(context, content, join(folder, name));
    const { openBrowser } = await import("../kit/sign-in/browser.ts");
    const opened = await openBrowser(context.environment, saved.output);
    const answer = { documentId: record.documentId, output: saved.output, opened };
    await output.data(answer, () => shown`${opened ? "Opened" : "Saved"} ${saved.output}`);
    if (opened || context.environment.variables["BROWSER"] === "none") return exitCodes.done;
    await output.note(shown`No viewer started; open the file yourself`);
    return exitCodes.failed;
  },
});

function viewedName({ mediaType = "", filename = "" }: DocumentRecord, id: string): string {
  const type = mediaType.split(";")[0]?.trim().toLowerCase() ?? "";
  // A deployment may not send the type; then the name's own ending must be one of these.
  const own = /\.[^.]{1,16}$/.exec(filename)?.[0].toLowerCase() ?? "";
  const named = Object.values(endings).find((known) => known === own);
  const ending = type === "" ? named : ownMember(endings, type);
  if (ending === undefined) {
    const words = type === "" ? "a document of unknown type" : `a document of type ${type}`;
    throw inputError(
      `${words} is not opened`,
      `Save it instead: \`svc docs content ${shellWord(id)} --output <path>\``,
    );
  }
  const stem = savedName(filename, "document").replace(/\.[^.]{0,16}$/, "");
  return `${stem.slice(0, 60).toWellFormed() || "document"}${ending}`;
}
