import { useMemo, useState } from "react";
import type { Membership } from "#client/index.ts";
import { treeRows } from "#lib/tree.ts";
import { commandLine } from "../kit/text/command-line.ts";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { Empty, Failed, Skeleton, Stale, wayOnOrElsewhere } from "../kit/panes/states.tsx";
import { TreeView } from "../kit/lists/tree-view.tsx";
import { useHostActions } from "../shell/platform/use-host-actions.tsx";
import { useCopy } from "../shell/use-copy.ts";
import { useRemembered } from "../kit/state/use-remembered.tsx";
import { useKeys } from "../kit/keys/use-keys.tsx";
import { useLayout } from "../kit/panes/use-layout.tsx";
import { useNotices } from "../shell/use-notices.tsx";
import { useNow } from "../kit/state/use-now.ts";
import { usePanes } from "../kit/panes/use-panes.tsx";
import { usePlatform } from "../shell/platform/use-platform.tsx";
import { useRouter } from "../shell/use-router.tsx";
import { useOpenWorkspace } from "../shell/platform/use-open-workspace.ts";
import { useWorkspaces } from "../shell/platform/use-workspaces.ts";
import { keyName } from "../kit/keys/key-table.ts";
import { settle, type ListCursor } from "../kit/lists/list-cursor.ts";
import { movesThrough } from "../kit/lists/list-moves.ts";
import { countWords, rowWords } from "../kit/text/words.ts";

const panes = ["tree"];
const agesMs = 10_000;
const nothingFolded: ReadonlySet<string> = new Set();

const nobodyElse = {
  words: "You belong to no workspace on this platform yet.",
  next: "An administrator invites you, or svc workspace create --allow-root makes a first one.",
};
/** No command reaches a platform in this process, so none is advised before another one serves it. */
const ownPlatform = {
  words: "This platform of yours has no workspace yet.",
  next:
    `${keyName("fillSampleData")} fills in sample data: a council with records and documents. For ` +
    "workspaces of your own leave with q and run svc serve, svc login, svc workspace create.",
};

const idOf = (membership: Membership) => membership.id;

/** All workspaces of the user as a tree; Enter opens one and keeps the choice. */
export function WorkspacesScreen() {
  const layout = useLayout();
  const { back, canGoBack } = useRouter();
  const { focused } = usePanes(panes);
  const copy = useCopy();
  const { session, tenantId, refresh } = usePlatform();
  const { fillSampleData } = useHostActions();
  const { say, sayFailure } = useNotices();
  const [isFilling, setFilling] = useState(false);
  const workspaces = useWorkspaces();
  const openWorkspace = useOpenWorkspace();
  const [cursor, setKept] = useRemembered<ListCursor | undefined>("workspaces", undefined);
  const [folded, setFolded] = useRemembered("folded workspaces", nothingFolded);
  const { value, failure } = workspaces;
  const nowMs = useNow(failure === undefined ? undefined : agesMs);
  const rows = useMemo(
    () => treeRows(value ?? [], { idOf, parentOf: (one) => one.parentId, folded }),
    [value, folded],
  );
  const inner = { width: layout.width - paneBorder, height: layout.height - paneBorder };
  const visible = Math.max(1, inner.height - (failure === undefined ? 0 : 1));
  // Until one has moved, the open workspace is selected.
  const open = rows.findIndex((row) => row.item.id === tenantId);
  const at = settle(cursor ?? { index: Math.max(0, open), top: 0 }, rows.length, visible);
  const setCursor = (change: (now: ListCursor) => ListCursor) => setKept(change(at));
  const selected = rows[at.index];
  const fold = (closed: boolean) => {
    if (selected === undefined) return;
    const next = new Set(folded);
    if (closed) next.add(selected.item.id);
    else next.delete(selected.item.id);
    setFolded(next);
  };
  useKeys(
    "pane",
    {
      ...movesThrough(setCursor, rows.length, visible),
      left: () => fold(true),
      right: () => fold(false),
      open: () => selected !== undefined && openWorkspace(selected.item),
    },
    { active: focused === "tree", facts: { rows: rows.length } },
  );
  const isEmpty = value !== undefined && rows.length === 0;
  const mayFill = isEmpty && session.inProcess === true && fillSampleData !== undefined;
  const fill = () => {
    setFilling(true);
    const filled = fillSampleData?.() ?? Promise.resolve();
    filled
      .then(() => say("done", "the sample data are there"), sayFailure)
      .finally(() => {
        setFilling(false);
        refresh();
      });
  };
  useKeys("place", {
    fillSampleData: mayFill && !isFilling ? fill : undefined,
    copyCommand: () =>
      selected !== undefined && copy(commandLine(["workspace", "select", selected.item.slug])),
    goBack: canGoBack ? back : undefined,
  });
  return (
    <Pane
      title="Workspaces"
      facts={value === undefined ? [] : [countWords(value.length)]}
      corner={rows.length > visible ? rowWords(at.index, rows.length) : undefined}
      width={layout.width}
      height={layout.height}
      focused={focused === "tree"}
    >
      {value === undefined && failure !== undefined ? (
        <Failed {...inner} failure={failure} next={wayOnOrElsewhere(failure)} />
      ) : value === undefined ? (
        <Skeleton {...inner} words="Loading workspaces" />
      ) : isFilling ? (
        <Skeleton {...inner} words="Filling in the sample data" />
      ) : isEmpty ? (
        <Empty {...inner} {...(mayFill ? ownPlatform : nobodyElse)} />
      ) : (
        <>
          {failure === undefined ? null : (
            <Stale
              failure={failure}
              answeredAtMs={workspaces.answeredAtMs}
              nowMs={nowMs}
              width={inner.width}
            />
          )}
          <TreeView
            rows={rows}
            idOf={idOf}
            wordsOf={(one) =>
              one.displayName === undefined ? one.slug : `${one.slug}  ${one.displayName}`
            }
            besideOf={(one) => (one.role ?? "").replace("tenant-", "")}
            cursor={at}
            width={inner.width}
            height={visible}
            focused={focused === "tree"}
          />
        </>
      )}
    </Pane>
  );
}
