import type { WorkspaceKeys } from "./keys.ts";
import { useMemo, useState } from "react";
import type { Membership } from "#client/index.ts";
import { homeRegions } from "#contract/workspaces/workspace-values.ts";
import { treeRows, type TreeRow } from "#lib/tree.ts";
import type { KeyHandlers } from "../kit/keys/key-bindings.ts";
import { useKeys } from "../kit/keys/use-keys.ts";
import type { ListCursor } from "../kit/cursor/list-cursor.ts";
import {
  positionStart,
  useRowCursor,
  wholeRows,
  type RowPosition,
} from "../kit/cursor/row-cursor.ts";
import { useStore } from "../kit/state/store.ts";
import { useRemembered, useRememberedCell } from "../kit/state/use-remembered.ts";
import type { LiveAnswer } from "../shell/platform/use-answer.ts";
import { useHost } from "../shell/host.ts";
import { usePlatform, usePlatformLink } from "../shell/platform/use-platform.ts";
import {
  useMakeDefault,
  useOpenWorkspace,
  useWorkspaces,
} from "../shell/platform/use-workspaces.ts";
import { useCopyCommand } from "../shell/use-copy.ts";
import { useNotices } from "../shell/notices.ts";
import { useCanGoBack, useRouter } from "../shell/router.ts";
import { useWorkspaceCreation } from "./use-workspace-creation.ts";
import { useWorkspaceRemoval } from "./use-workspace-removal.ts";

/** A workspace to begin with, which the user renames in the copied command. */
const firstWorkspace = {
  name: "My workspace",
  slug: "my-workspace",
  "allow-root": true,
  "home-region": homeRegions[0],
};
const noFolds: ReadonlySet<string> = new Set();

export const idOf = (membership: Membership) => membership.id;
const keyOf = ({ item }: TreeRow<Membership>) => item.id;

export interface WorkspaceTree {
  readonly answer: LiveAnswer<readonly Membership[]>;
  readonly rows: readonly TreeRow<Membership>[];
  readonly cursor: ListCursor;
  readonly visible: number;
  /** Whether the platform of this process is empty, so that sample data can be filled in. */
  readonly canFill: boolean;
  readonly isFilling: boolean;
}

/** The user's workspaces as a tree in `height` rows, with its keys. */
export function useWorkspaceTree(height: number, focused: boolean): WorkspaceTree {
  const { back } = useRouter();
  const canGoBack = useCanGoBack();
  const copyCommand = useCopyCommand();
  const { tenantId } = usePlatform();
  const { refresh } = usePlatformLink();
  const answer = useWorkspaces(true);
  const openWorkspace = useOpenWorkspace();
  const makeDefault = useMakeDefault();
  // The open workspace is selected until the cursor is moved.
  const start = useMemo<RowPosition>(() => ({ ...positionStart, id: tenantId }), [tenantId]);
  const position = useRememberedCell<RowPosition>("workspaces", start);
  const [folded, setFolded] = useRemembered("folded workspaces", noFolds);
  const { value, failure } = answer;
  const rows = useMemo(
    () => treeRows(value ?? [], { idOf, parentOf: (one) => one.parentId, folded }),
    [value, folded],
  );
  const visible = Math.max(1, height - (failure === undefined ? 0 : 1));
  const source = useMemo(() => wholeRows(rows, keyOf), [rows]);
  const rowCursor = useRowCursor(source, position, visible);
  const cursor = useStore(rowCursor);
  const selected = rows[cursor.index]?.item;
  const fold = (isFolded: boolean) => {
    if (selected === undefined) return;
    const others = [...folded].filter((id) => id !== selected.id);
    setFolded(new Set(isFolded ? [...others, selected.id] : others));
  };
  const { canFill, isFilling, fill } = useSampleData(value !== undefined && rows.length === 0);
  useKeys(
    "pane",
    {
      ...rowCursor.moves,
      left: () => fold(true),
      right: () => fold(false),
      open: () => selected !== undefined && openWorkspace(selected),
    },
    { active: focused, facts: { rows: rows.length } },
  );
  const create = useWorkspaceCreation(refresh);
  const removal = useWorkspaceRemoval(refresh);
  const parent = value?.find(({ id }) => id === selected?.parentId);
  const actions: KeyHandlers<WorkspaceKeys> = {
    createWorkspace: () => selected !== undefined && create(selected),
    deleteWorkspace: () => selected !== undefined && removal.remove(selected),
    purgeWorkspace:
      typeof selected?.parentId === "string" ? () => removal.purge(selected, parent) : undefined,
    restoreWorkspace: removal.restore,
  };
  const facts = { rows: rows.length, role: selected?.role };
  const handlers: KeyHandlers<WorkspaceKeys> = {
    ...(value === undefined || canFill ? {} : actions),
    fillSampleData: canFill && !isFilling ? fill : undefined,
    copyCommand: () =>
      selected === undefined
        ? copyCommand.onPlatform(["workspace", "create"], firstWorkspace)
        : copyCommand.onPlatform(["workspace", "select", selected.id]),
    makeDefault: () => selected !== undefined && makeDefault(selected),
    goBack: canGoBack ? back : undefined,
  };
  useKeys<WorkspaceKeys>("place", handlers, { facts });
  return { answer, rows, cursor, visible, canFill, isFilling };
}

/** Fills sample data into the platform of this process, which is possible while it is empty. */
function useSampleData(isEmpty: boolean) {
  const { session } = usePlatform();
  const { refresh } = usePlatformLink();
  const { fillSampleData } = useHost().actions;
  const { say, sayFailure } = useNotices();
  const [isFilling, setFilling] = useState(false);
  const fill = () => {
    setFilling(true);
    const filled = fillSampleData?.() ?? Promise.resolve();
    filled
      .then(() => say("done", "the sample data are filled in"), sayFailure)
      .finally(() => {
        setFilling(false);
        refresh();
      });
  };
  const canFill = isEmpty && session.inProcess === true && fillSampleData !== undefined;
  return { canFill, isFilling, fill };
}
