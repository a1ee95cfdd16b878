import { textOption } from "#cli/command.ts";

const chosen = textOption("workspace", "Workspace ID or slug (default: the selected one)");

/** `--tenant-id`, the workspace of a call; the name is kept for compatibility (spec 9.2). */
export const tenantOption = { ...chosen, aliases: ["tenant", "workspace"] } as const;

/** `--workspace`, which newer commands take in its place. */
export const workspaceOption = { ...chosen, aliases: ["tenant", "tenant-id"] } as const;
