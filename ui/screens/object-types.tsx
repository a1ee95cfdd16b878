import type { ObjectType } from "#client/index.ts";
import { DataTable } from "../components/data-table.tsx";
import { Pane, paneBorder } from "../components/pane.tsx";
import { Empty, Failed, Skeleton } from "../components/states.tsx";
import type { Column } from "../columns.ts";
import { commandLine } from "../command-line.ts";
import type { LiveAnswer } from "../hooks/use-answer.ts";
import { useCopy } from "../hooks/use-copy.ts";
import { useKept } from "../hooks/use-kept.tsx";
import { useKeys } from "../hooks/use-keys.tsx";
import { useLayout } from "../hooks/use-layout.tsx";
import { usePanes } from "../hooks/use-panes.tsx";
import { useRouter } from "../hooks/use-router.tsx";
import { listStart, moveBy, moveTo, pageBy, settle, type ListCursor } from "../list-cursor.ts";
import { countWords } from "../words.ts";
import { keyName } from "../keys.ts";

const columns: readonly Column<ObjectType>[] = [
  { id: "slug", title: "type", value: (type) => type.slug, priority: 0, pinned: true, minimum: 16 },
  {
    id: "records",
    title: "records",
    align: "right",
    value: (type) => (type.recordCount === undefined ? "" : countWords(type.recordCount)),
    priority: 1,
  },
  { id: "name", title: "name", value: (type) => type.displayName ?? type.name, priority: 2 },
  {
    id: "fields",
    title: "fields",
    align: "right",
    value: (type) => String(Object.keys(type.properties).length),
    priority: 3,
  },
  {
    id: "description",
    title: "description",
    value: (type) => type.description ?? "",
    priority: 4,
    maximum: 80,
  },
];

const panes = ["types"];

/** The Object Types of the workspace; Enter opens the records of one. */
export function ObjectTypesScreen(props: { readonly types: LiveAnswer<readonly ObjectType[]> }) {
  const { types } = props;
  const layout = useLayout();
  const { go } = useRouter();
  const copy = useCopy();
  const { focused } = usePanes(panes);
  const [cursor, setCursor] = useKept<ListCursor>("object types", listStart);
  const all = types.value ?? [];
  const rows = Math.max(1, layout.height - paneBorder - 1);
  const at = settle(cursor, all.length, rows);
  const selected = all[at.index];
  useKeys(
    "pane",
    {
      up: (count) => setCursor((now) => moveBy(now, -count, all.length, rows)),
      down: (count) => setCursor((now) => moveBy(now, count, all.length, rows)),
      pageUp: (count) => setCursor((now) => pageBy(now, -count, all.length, rows)),
      pageDown: (count) => setCursor((now) => pageBy(now, count, all.length, rows)),
      first: () => setCursor((now) => moveTo(now, 0, all.length, rows)),
      last: () => setCursor((now) => moveTo(now, all.length - 1, all.length, rows)),
      open: () => {
        if (selected !== undefined) go({ place: "resources", objectType: selected.slug });
      },
    },
    { active: focused === "types", facts: { rows: all.length } },
  );
  useKeys("place", {
    copyCommand: () =>
      copy(
        selected === undefined
          ? commandLine(["types", "pull"])
          : commandLine(["resources", "schema", selected.slug]),
      ),
  });
  const inner = { width: layout.width - paneBorder, height: layout.height - paneBorder };
  return (
    <Pane
      title="Object Types"
      facts={all.length === 0 ? [] : [countWords(all.length)]}
      width={layout.width}
      height={layout.height}
      focused={focused === "types"}
    >
      {types.value === undefined && types.failure !== undefined ? (
        <Failed {...inner} failure={types.failure} />
      ) : types.value === undefined ? (
        <Skeleton {...inner} words="Loading Object Types" />
      ) : all.length === 0 ? (
        <Empty
          {...inner}
          words="This workspace has no Object Types yet: they say what its records are."
          next={`svc types seed publishes the ones of a project. ${keyName("goWorkspaces")} chooses another workspace.`}
        />
      ) : (
        <DataTable
          columns={columns}
          count={all.length}
          rowAt={(index) => all[index]}
          keyOf={(type) => type.slug}
          sample={all}
          cursor={at}
          width={inner.width}
          height={inner.height}
          focused={focused === "types"}
        />
      )}
    </Pane>
  );
}
