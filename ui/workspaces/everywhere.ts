import { createElement, useMemo } from "react";
import type { Membership } from "#client/index.ts";
import { counted } from "#lib/text/counted.ts";
import { tablePlace, type PlaceTable, type TableRequest } from "../kit/places/list-place.tsx";
import type { Column } from "../kit/table/columns.ts";
import { countWords } from "../kit/text/words.ts";
import type { Token } from "../kit/theme/skin.ts";
import { useAnsweredList } from "../shell/platform/use-list.ts";
import {
  useOpenWorkspace,
  useWorkspaces,
  workspaceTrail,
} from "../shell/platform/use-workspaces.ts";
import { useWorkspaceFigures, type WorkspaceFigures } from "./use-workspace-figures.ts";
import type { WorkspaceKeys } from "./keys.ts";
import { WorkspaceDetail } from "./workspace-detail.tsx";

/** Workspaces whose figures are read; the others have their names only. */
const readWorkspaces = 40;

/** So few are shown once they are counted, so that the cursor begins at what is urgent. */
const countedFirst = 8;

/** A workspace with its figures, once they are known. */
export interface WorkspaceRow {
  readonly membership: Membership;
  /** The workspaces above it and its own name. */
  readonly path: string;
  readonly figures: WorkspaceFigures | undefined;
}

const keyOf = ({ membership }: WorkspaceRow) => membership.id;

type Figure = Exclude<keyof WorkspaceFigures, "id">;

/** A right column with a figure: the sign is shown for what calls for attention. */
function figureColumn(
  id: Figure,
  column: {
    readonly title: string;
    readonly priority: number;
    readonly sign?: string;
    readonly as?: Token;
  },
): Column<WorkspaceRow> {
  const { sign = "", as, ...others } = column;
  const valueOf = ({ figures }: WorkspaceRow) => figures?.[id] ?? 0;
  return {
    id,
    ...others,
    align: "right",
    value: (row) =>
      row.figures === undefined ? "" : `${countWords(valueOf(row))}${valueOf(row) > 0 ? sign : ""}`,
    token: (row) => (valueOf(row) > 0 ? as : "quiet"),
  };
}

const columns: readonly Column<WorkspaceRow>[] = [
  {
    id: "workspace",
    title: "workspace",
    value: ({ path }) => path,
    priority: 0,
    pinned: true,
    minimum: 34,
  },
  figureColumn("overdue", { title: "overdue", priority: 1, sign: " ▲", as: "bad" }),
  figureColumn("soon", { title: "due 7d", priority: 2, sign: " !", as: "warn" }),
  figureColumn("failedJobs", { title: "failed", priority: 3, sign: " ✗", as: "bad" }),
  figureColumn("runningJobs", { title: "running", priority: 6, sign: " ▶", as: "busy" }),
  figureColumn("reviews", { title: "reviews", priority: 5, as: "warn" }),
  figureColumn("alerts", { title: "alerts", priority: 4, as: "warn" }),
  figureColumn("records", { title: "records", priority: 7 }),
  {
    id: "role",
    title: "role",
    value: ({ membership }) => membership.role?.replace("tenant-", "") ?? "",
    priority: 8,
  },
];

/** The rows with what calls for attention first, then by their paths. */
export function workspaceRows(
  all: readonly Membership[],
  figures: readonly WorkspaceFigures[],
): WorkspaceRow[] {
  const known = new Map(figures.map((each) => [each.id, each]));
  const urgent = ({ figures: now }: WorkspaceRow) =>
    now === undefined ? 0 : now.overdue + now.failedJobs + now.alerts;
  return all
    .map((membership) => ({
      membership,
      path: workspaceTrail(all, membership.id)
        .map(({ slug }) => slug)
        .join(" › "),
      figures: known.get(membership.id),
    }))
    .toSorted((a, b) => urgent(b) - urgent(a) || a.path.localeCompare(b.path));
}

/** The sums of all workspaces, without those that are nothing. */
export function sumWords(figures: readonly WorkspaceFigures[]): string[] {
  const sumOf = (name: Figure) => figures.reduce((sum, each) => sum + each[name], 0);
  const words = (count: number, text: string) =>
    count === 0 ? [] : [`${countWords(count)} ${text}`];
  return [
    counted(sumOf("records"), "record"),
    ...words(sumOf("overdue"), "overdue"),
    ...words(sumOf("soon"), "due in 7 days"),
    ...words(sumOf("failedJobs"), "failed"),
    ...words(sumOf("alerts"), "alerts"),
  ];
}

function useTable({ filter, height }: TableRequest): PlaceTable<WorkspaceRow> {
  const workspaces = useWorkspaces(true);
  const { value: all } = workspaces;
  const read = useMemo(() => (all ?? []).slice(0, readWorkspaces), [all]);
  const { value: figures, failure } = useWorkspaceFigures(read);
  const isShown = figures !== undefined || failure !== undefined || read.length > countedFirst;
  const rows = useMemo(
    () => (isShown ? all && workspaceRows(all, figures ?? []) : undefined),
    [all, figures, isShown],
  );
  const wanted = filter.text.toLowerCase();
  const shown = useMemo(
    () => rows?.filter(({ path }) => path.toLowerCase().includes(wanted)),
    [rows, wanted],
  );
  const list = useAnsweredList("everywhere", { ...workspaces, value: shown }, keyOf, height);
  return { list, columns, facts: figures === undefined ? ["counting …"] : sumWords(figures) };
}

/** Home for all workspaces of the user: what calls for attention in each. */
export const Everywhere = tablePlace<WorkspaceRow, WorkspaceKeys, PlaceTable<WorkspaceRow>>({
  name: "everywhere",
  title: "All workspaces",
  loading: "Loading your workspaces",
  search: {
    key: "shown workspaces of home",
    label: "workspaces with",
    placeholder: "a part of their names",
    fact: "with",
    noMatch: "No workspace has this text in its name.",
  },
  useTable,
  useListHandlers: function useOpening({ opened }) {
    const enter = useOpenWorkspace();
    return { open: opened.act(({ membership }) => enter(membership)) };
  },
  copied: ({ membership }) => membership.id,
  command: () => [["workspace", "list"]],
  empty: { words: "You have no workspace." },
  isStacked: true,
  Detail: ({ shown: { row }, area, focused }) =>
    createElement(WorkspaceDetail, {
      workspace: row?.membership,
      title: row?.path ?? "details",
      area,
      focused,
    }),
});
