import type { DocumentRecord } from "#contract/documents/records.ts";
import { CatalogError, catalogError } from "#contract/errors.ts";
import type { JournalAnswer } from "#local/upload-journal.ts";
import type { CommandContext } from "../../context.ts";
import type { FoundFile } from "./find-files.ts";
import type { Run } from "./run.ts";

const contextNames = [
  "planning_application_id",
  "business_request_id",
  "assess_case_id",
  "vertical_key",
  "workflow_key",
] as const;

/**
 * The document of a file whose earlier request has no known outcome; undefined if the platform has
 * none with these bytes in this context. Throws E203 when that can't be found out: the file is then
 * not sent again.
 */
export async function acceptedBefore(
  { signal }: CommandContext,
  file: FoundFile,
  { client, metadata, verb }: Run,
): Promise<JournalAnswer | undefined> {
  const sha256 = await digestOf(file, signal);
  const processingMode = verb === "upload" ? "full" : "classification";
  const where: Record<string, string> = { sha256, processingMode };
  for (const name of contextNames) {
    const value = metadata[name];
    if (value !== undefined) where[`context.${name}`] = value;
  }
  const list = await client
    .useDocuments()
    .list({ where, limit: 1, signal })
    .catch((error: unknown) => {
      if (!(error instanceof CatalogError) || error.code === "E201") throw error;
      const details = `an earlier run may have sent ${file.shown}, and the documents can't be listed`;
      throw catalogError(
        "E203",
        { details },
        { cause: error, hint: "Look for it, or send it again with --again" },
      );
    });
  // A deployment may ignore a filter that it does not know.
  const found = list.items.find((record) => isSame(record, sha256, metadata));
  if (found === undefined) return undefined;
  const { documentId, documentNumber, jobId } = found;
  return { jobId: jobId ?? undefined, documentId, documentNumber };
}

function isSame(
  { sha256, context = {} }: DocumentRecord,
  digest: string,
  metadata: Readonly<Record<string, string>>,
): boolean {
  return (
    sha256 === digest &&
    contextNames.every((name) => metadata[name] === undefined || context[name] === metadata[name])
  );
}

async function digestOf(file: FoundFile, signal: AbortSignal): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(file.path).stream()) {
    signal.throwIfAborted();
    hasher.update(chunk);
  }
  return hasher.digest("hex");
}
