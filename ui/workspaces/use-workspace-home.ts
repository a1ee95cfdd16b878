import { keyName } from "../kit/keys/keys.ts";
import type { Span } from "../kit/text/styled-lines.ts";
import { countWords } from "../kit/text/words.ts";
import { headingRow, homeRow, type HomePart } from "../shell/home/home-rows.ts";
import { shellKeys } from "../shell/keys.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useOpenWorkspace, useWorkspaces } from "../shell/platform/use-workspaces.ts";
import { useRouter } from "../shell/router.ts";
import { useWorkspaceFigures, type WorkspaceFigures } from "./use-workspace-figures.ts";

/** Workspaces whose figures are read. */
const readWorkspaces = 12;
/** The figures of a workspace at the right end of its row. */
function figureSpans({ records, overdue, failedJobs }: WorkspaceFigures): Span[] {
  return [
    { text: ` ${countWords(records)} ` },
    ...(overdue === 0 ? [] : [{ text: `${countWords(overdue)} ▲ `, as: "bad" } as const]),
    ...(failedJobs === 0 ? [] : [{ text: `${failedJobs} ✗ `, as: "bad" } as const]),
  ];
}

/** The other workspaces that the user may enter, with what needs attention in them. */
export function useWorkspaceHome(): HomePart {
  const { go } = useRouter();
  const { tenantId } = usePlatform();
  const enter = useOpenWorkspace();
  const { value: all } = useWorkspaces();
  const others = (all ?? []).filter(({ id }) => id !== tenantId);
  const read = others.slice(0, readWorkspaces);
  const { value } = useWorkspaceFigures(read);
  const step = homeRow({
    id: "step workspaces",
    left: [{ text: `   ${keyName(shellKeys.goWorkspaces)} chooses or makes a workspace` }],
    open: () => go({ place: "workspaces" }),
    command: [["workspace", "list"]],
  });
  if (others.length === 0) return { rows: [], isFilled: false, step };
  const rows = read.map((membership) => {
    const figures = value?.find(({ id }) => id === membership.id);
    return homeRow({
      id: `workspace ${membership.id}`,
      left: [{ text: `   ${membership.slug}` }],
      right: figures === undefined ? [] : figureSpans(figures),
      open: () => enter(membership),
      command: [["workspace", "select", membership.slug]],
    });
  });
  const heading = headingRow("Other workspaces", {
    id: "workspaces",
    right: [
      { text: ` ${countWords(others.length)} ` },
      { text: `${keyName(shellKeys.goWorkspaces)} `, as: "key" },
    ],
    open: () => go({ place: "workspaces" }),
    command: [["workspace", "list"]],
  });
  return { rows: [heading, ...rows], isFilled: false, step };
}
