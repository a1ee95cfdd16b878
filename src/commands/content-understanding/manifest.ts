import { textOption } from "#cli/command.ts";
import type { UnderstandingManifest } from "#contract/documents/content-understanding.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { filePath, readJsonObject } from "../kit/input/data.ts";

export const manifestOption = {
  ...textOption("path", "File with classifiers, analyzers and document types"),
  required: true,
} as const;

export const requiredTenant = { ...tenantOption, required: true } as const;

/** The manifest of `--file`. Throws E302 with the pointers of its faults. */
export async function readManifest(
  context: CommandContext,
  file: string,
): Promise<UnderstandingManifest> {
  const path = filePath(file);
  const given = await readJsonObject(context, { file: path });
  const [{ understandingManifest }, { checkedFile }] = await Promise.all([
    import("#contract/documents/content-understanding.ts"),
    import("../kit/input/checked-file.ts"),
  ]);
  return checkedFile(understandingManifest, given, path);
}
