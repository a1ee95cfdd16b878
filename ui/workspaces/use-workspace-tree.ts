import type { WorkspaceKeys } from "./keys.ts";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import type { Membership } from "#client/index.ts";
import { memberships } from "#client/memberships.ts";
import { homeRegions } from "#contract/workspaces/workspace-values.ts";
import { treeRows, type TreeRow } from "#lib/tree.ts";
import { useTextFilter, type Filter, type TextFilter } from "../kit/filter/use-filter.ts";
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
import { useAct } from "../kit/places/action.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { useWorkspaceCreation } from "./use-workspace-creation.ts";
import { workspaceDeletion, workspacePurge, workspaceRestoration } from "./actions.ts";

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

const textFilter: TextFilter = {
  key: "named workspaces",
  label: "filter",
  placeholder: "part of a slug or a name",
  fact: "filter",
  noMatch: "No workspace has this in its slug or name.",
};

/** The workspaces whose slug or name has the text, with those above them. */
export function workspacesWith(all: readonly Membership[], text: string): readonly Membership[] {
  if (text === "") return all;
  const wanted = text.toLowerCase();
  const byId = new Map(all.map((one) => [one.id, one]));
  const kept = new Set<string>();
  for (const { id, slug, displayName = "" } of all) {
    if (!`${slug} ${displayName}`.toLowerCase().includes(wanted)) continue;
    let above = byId.get(id);
    while (above !== undefined && !kept.has(above.id)) {
      kept.add(above.id);
      above = byId.get(above.parentId ?? "");
    }
  }
  return all.filter(({ id }) => kept.has(id));
}

export interface WorkspaceTree {
  readonly filter: Filter;
  readonly answer: LiveAnswer<readonly Membership[]>;
  readonly rows: readonly TreeRow<Membership>[];
  readonly cursor: ListCursor;
  readonly visible: number;
  /** Whether the platform of this process is empty, so that sample data can be filled in. */
  readonly canFill: boolean;
  readonly isFilling: boolean;
}

function useTreeRows(
  workspaces: readonly Membership[] | undefined,
  text: string,
  folded: ReadonlySet<string>,
): readonly TreeRow<Membership>[] {
  return useMemo(
    () =>
      treeRows(workspacesWith(workspaces ?? [], text), {
        idOf,
        parentOf: (one) => one.parentId,
        // A match in a folded branch is shown.
        folded: text === "" ? folded : noFolds,
      }),
    [workspaces, text, folded],
  );
}

/** The user's workspaces as a tree in `height` rows, with its keys. */
export function useWorkspaceTree(height: number, focused: boolean): WorkspaceTree {
  const { back, go } = useRouter();
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
  const filter = useTextFilter(textFilter);
  const { text, typing } = filter;
  const rows = useTreeRows(value, text, folded);
  const visible = Math.max(1, height - filter.rows - (failure === undefined ? 0 : 1));
  const source = useMemo(() => wholeRows(rows, keyOf), [rows]);
  const rowCursor = useRowCursor(source, position, visible);
  const cursor = useStore(rowCursor);
  const selected = rows[cursor.index]?.item;
  const fold = (isFolded: boolean) => {
    if (selected === undefined) return;
    const others = [...folded].filter((id) => id !== selected.id);
    setFolded(new Set(isFolded ? [...others, selected.id] : others));
  };
  const { canFill, isFilling, fill } = useSampleData(value, openWorkspace);
  useKeys(
    "pane",
    {
      ...rowCursor.moves,
      left: () => fold(true),
      right: () => fold(false),
      open: () => selected !== undefined && openWorkspace(selected),
    },
    { active: focused && !typing, facts: { rows: rows.length } },
  );
  const create = useWorkspaceCreation(refresh, openWorkspace);
  const removal = useWorkspaceRemoval(refresh);
  const parent = value?.find(({ id }) => id === selected?.parentId);
  const actions: KeyHandlers<WorkspaceKeys> = {
    createWorkspace: () => selected !== undefined && create(selected),
    deleteWorkspace: () => selected !== undefined && removal.remove(selected),
    purgeWorkspace:
      typeof selected?.parentId === "string" ? () => removal.purge(selected, parent) : undefined,
    showArchives: () => {
      if (selected === undefined) return;
      openWorkspace(selected);
      go({ place: "archives" });
    },
  };
  const facts = { rows: rows.length, role: selected?.role };
  const isEmpty = value?.length === 0;
  const handlers: KeyHandlers<WorkspaceKeys> = {
    ...(value === undefined || isEmpty ? {} : actions),
    restoreWorkspace: value === undefined || canFill ? undefined : removal.restore,
    createFirst: isEmpty && !isFilling ? () => create(undefined) : undefined,
    fillSampleData: canFill && !isFilling ? fill : undefined,
    copyCommand: () =>
      selected === undefined
        ? copyCommand.onPlatform(["workspace", "create"], firstWorkspace)
        : copyCommand.onPlatform(["workspace", "select", selected.id]),
    makeDefault: () => selected !== undefined && makeDefault(selected),
    filter: filter.start,
    goBack: text === "" ? (canGoBack ? back : undefined) : filter.clear,
  };
  useKeys<WorkspaceKeys>("place", handlers, { active: !typing, facts });
  return { filter, answer, rows, cursor, visible, canFill, isFilling };
}

/** The workspace of the sample data in which a newcomer begins. */
const sampleStart = "planning";

/**
 * Fills sample data into the platform of this process, which is possible while it is empty, and
 * then opens a workspace of them.
 */
function useSampleData(
  workspaces: readonly Membership[] | undefined,
  open: (workspace: Membership) => void,
) {
  const { session } = usePlatform();
  const { refresh } = usePlatformLink();
  const { fillSampleData } = useHost().actions;
  const { say, sayFailure } = useNotices();
  const [state, setState] = useState<"idle" | "filling" | "filled">("idle");
  const fill = () => {
    setState("filling");
    const filled = fillSampleData?.() ?? Promise.resolve();
    filled
      .then(
        () => {
          say("done", "the sample data are filled in");
          setState("filled");
        },
        (error: unknown) => {
          sayFailure(error);
          setState("idle");
        },
      )
      .finally(refresh);
  };
  const start = workspaces?.find(({ slug }) => slug === sampleStart);
  const enter = useEffectEvent(open);
  useEffect(() => {
    if (state === "filled" && start !== undefined) enter(start);
  }, [state, start]);
  const isEmpty = workspaces?.length === 0;
  const canFill = isEmpty && session.inProcess === true && fillSampleData !== undefined;
  return { canFill, isFilling: state === "filling", fill };
}

interface Removal {
  readonly remove: (workspace: Membership) => void;
  readonly purge: (child: Membership, parent: Membership | undefined) => void;
  /** Lets the user choose a deleted workspace. */
  readonly restore: () => void;
}

function useWorkspaceRemoval(onChanged: () => void): Removal {
  const { client } = usePlatform();
  const { say } = useNotices();
  const overlays = useOverlays();
  const act = useAct();

  const choose = (deleted: readonly Membership[]): void =>
    overlays.choose({
      title: "Restore a workspace",
      placeholder: "a workspace",
      choices: deleted.map((workspace) => {
        const { id, slug, displayName, restorableUntil: end } = workspace;
        return {
          id,
          words: displayName === undefined ? slug : `${slug}  ${displayName}`,
          note: end === undefined ? undefined : `until ${end.slice(0, 10)}`,
          choose: () => act(workspaceRestoration, workspace, onChanged),
        };
      }),
    });

  return {
    remove: (workspace) => act(workspaceDeletion, workspace, onChanged),
    purge(child, parent) {
      if (parent?.role === "tenant-admin") return act(workspacePurge, { child, parent }, onChanged);
      return say("note", "only an admin of its parent can purge a workspace");
    },
    restore: () =>
      overlays.wait({
        title: "Restore a workspace",
        words: "Loading the deleted workspaces",
        ask: async (signal) => {
          const items = client ? await memberships(client, { deleted: true, signal }) : [];
          if (items.length === 0) return () => say("note", "no deleted workspace can be restored");
          return () => choose(items);
        },
      }),
  };
}
