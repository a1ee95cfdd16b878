import { FilterLine } from "../kit/filter/filter-line.tsx";
import { filterHint } from "../kit/keys/base-keys.ts";
import { workspaceKeys } from "./keys.ts";
import type { Membership } from "#client/index.ts";
import { keyName } from "../kit/keys/keys.ts";
import type { Size } from "../kit/panes/layout.ts";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { Empty, nextStepOrElsewhere, Skeleton, Stale, Unanswered } from "../kit/panes/states.tsx";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useLayout, usePanes } from "../kit/panes/use-panes.ts";
import { countWords, rowWords } from "../kit/text/words.ts";
import { idOf, useWorkspaceTree, type WorkspaceTree } from "./use-workspace-tree.ts";
import { fitText, textWidth } from "../kit/text/text-layout.ts";
import { Area, Line, SelectedLine } from "../kit/theme/paint.tsx";
import { visibleRows } from "../kit/cursor/list-cursor.ts";

const foldSigns = { open: "▾", closed: "▸", leaf: " " } as const;
const panes = ["tree"];

const create = keyName(workspaceKeys.createFirst);
const noMembership = {
  words: "You belong to no workspace on this platform yet.",
  next: `An administrator invites you. ${create} creates one, if you administer this platform.`,
};
const emptyPlatform = {
  words: "Your platform has no workspace yet.",
  next:
    `${keyName(workspaceKeys.fillSampleData)} fills in sample data: a council with records and documents. ` +
    `${create} creates your first workspace.`,
};

export function WorkspacesScreen() {
  const layout = useLayout();
  const { focused } = usePanes(panes);
  const isFocused = focused === "tree";
  const inner = { width: layout.width - paneBorder, height: layout.height - paneBorder };
  const tree = useWorkspaceTree(inner.height, isFocused);
  const { answer, rows, cursor, visible, filter } = tree;
  const counted = answer.value === undefined ? [] : [countWords(answer.value.length)];
  return (
    <Pane
      title="Workspaces"
      facts={[...counted, ...filter.facts]}
      corner={rows.length > visible ? rowWords(cursor.index, rows.length) : undefined}
      width={layout.width}
      height={layout.height}
      focused={isFocused}
    >
      <Workspaces {...inner} tree={tree} focused={isFocused} />
    </Pane>
  );
}

function Workspaces(props: Size & { readonly tree: WorkspaceTree; readonly focused: boolean }) {
  const { tree, focused, ...area } = props;
  const { answer, rows, cursor, visible, canFill, isFilling, filter } = tree;
  const { session } = usePlatform();
  const { value, failure } = answer;
  if (value === undefined) {
    const next = failure && nextStepOrElsewhere(failure);
    return <Unanswered {...area} failure={failure} loading="Loading workspaces" next={next} />;
  }
  if (isFilling) return <Skeleton {...area} words="Filling in the sample data" />;
  if (value.length === 0) return <Empty {...area} {...(canFill ? emptyPlatform : noMembership)} />;
  const below = { width: area.width, height: visible };
  const noMatch = { words: filter.noMatch, next: filterHint() };
  return (
    <>
      {filter.rows === 0 ? null : (
        <FilterLine filter={filter} failure={failure} rows={rows.length} width={area.width} />
      )}
      <Stale failure={failure} answeredAtMs={answer.answeredAtMs} width={area.width} />
      <Area {...below}>
        {rows.length === 0 ? <Empty {...below} {...noMatch} /> : null}
        {visibleRows(rows, cursor, visible).map(({ row: { item, depth, fold }, isSelected }) => {
          const key = idOf(item);
          const role = (item.role ?? "").replace("tenant-", "");
          const note = item.id === session.defaultWorkspaceId ? `default  ${role}` : role;
          const left = ` ${"  ".repeat(depth)}${foldSigns[fold]} ${titleOf(item)}`;
          const line = `${fitText(left, area.width - textWidth(note) - 2)} ${note} `;
          if (isSelected && focused) return <SelectedLine key={key} text={line} />;
          return (
            <Line key={key} as={isSelected ? "focus" : "text"}>
              {line}
            </Line>
          );
        })}
      </Area>
    </>
  );
}

function titleOf({ slug, displayName }: Membership): string {
  return displayName === undefined ? slug : `${slug}  ${displayName}`;
}
