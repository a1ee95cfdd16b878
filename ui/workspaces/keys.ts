import { key, keyGroup } from "../kit/keys/keys.ts";
import { admin, changing, firstOf, row } from "../kit/keys/reasons.ts";
import type { ShellKeys } from "../shell/keys.ts";

export const workspaceKeys = keyGroup({
  createWorkspace: key("c", "place", "new workspace below", {
    footer: 31,
    disabledReason: firstOf(row, admin),
  }),
  createFirst: key("c", "place", "create a workspace", {
    footer: 11,
    disabledReason: changing,
  }),
  deleteWorkspace: key("ctrl+d", "place", "delete", {
    footer: 70,
    disabledReason: firstOf(row, admin),
  }),
  purgeWorkspace: key("P", "place", "purge", {
    footer: 71,
    disabledReason: firstOf(row, changing),
  }),
  restoreWorkspace: key("R", "place", "restore", { footer: 32, disabledReason: changing }),
  showArchives: key("a", "place", "archives", { footer: 33, disabledReason: row }),
  fillSampleData: key("D", "place", "fill in sample data", {
    footer: 10,
    disabledReason: changing,
  }),
});

export type WorkspaceKeys = typeof workspaceKeys & ShellKeys;
