import { createHash } from "node:crypto";
import { mayLackRoute } from "#client/failures.ts";
import type { Client } from "#client/surface.ts";
import { CatalogError, catalogError } from "#contract/errors.ts";
import type { RecordImport } from "#contract/resources/imports.ts";
import type { OpenedFile } from "../open-file.ts";

export const reportHint = "`svc verify calls` reports what the platform has";

interface ImportStart {
  readonly type: string;
  readonly opened: OpenedFile;
  /** The values that decide how the rows are read: another one is another import. */
  readonly parts: readonly unknown[];
  /** True to start again instead of continuing. */
  readonly isFresh: boolean;
  readonly signal: AbortSignal;
}

/** Starts the import of a file, or continues the interrupted one. Throws E203 without imports. */
export async function startImport(client: Client, start: ImportStart): Promise<RecordImport> {
  const { type, opened, parts, isFresh, signal } = start;
  const again = isFresh ? crypto.randomUUID() : "";
  const digest = createHash("sha256")
    .update(JSON.stringify([opened.facts.sha256, type, ...parts, again]))
    .digest("hex");
  const body = { digest, filename: opened.name.slice(0, 255) };
  try {
    return await client.imports.start({ params: { objectType: type }, body, signal });
  } catch (error) {
    if (!(error instanceof CatalogError) || !mayLackRoute(error)) throw error;
    const details = "this platform has no imports";
    const hint = `\`svc resources batch-create\` sends the rows of a CSV; ${reportHint}`;
    throw catalogError("E203", { details }, { hint, cause: error });
  }
}
