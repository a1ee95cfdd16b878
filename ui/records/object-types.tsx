import { commonKeys } from "../kit/keys/base-keys.ts";
import { shellKeys } from "../shell/keys.ts";
import type { ObjectType } from "#client/index.ts";
import { ListPane, listRows } from "../kit/lists/list-pane.tsx";
import type { Column } from "../kit/table/columns.ts";
import type { LiveAnswer } from "../shell/platform/use-answer.ts";
import { useCopyCommand } from "../shell/use-copy.ts";
import { useKeys } from "../kit/keys/use-keys.ts";
import { useLayout, usePanes } from "../kit/panes/use-panes.ts";
import { useRouter } from "../shell/use-router.ts";
import { useAnsweredList } from "../shell/platform/use-list.ts";
import { countWords } from "../kit/text/words.ts";
import { keyName } from "../kit/keys/keys.ts";

const columns: readonly Column<ObjectType>[] = [
  { id: "slug", title: "type", value: (type) => type.slug, priority: 0, pinned: true, minimum: 16 },
  {
    id: "records",
    title: "records",
    align: "right",
    value: (type) => (type.recordCount === undefined ? "" : countWords(type.recordCount)),
    priority: 1,
  },
  {
    id: "name",
    title: "name",
    value: (type) => type.displayName ?? type.name,
    priority: 2,
    minimum: 24,
  },
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
    minimum: 24,
    maximum: 80,
  },
];

const panes = ["types"];
const keyOf = (type: ObjectType) => type.slug;

/** The Object Types of the workspace; Enter opens the records of one. */
export function ObjectTypesScreen(props: { readonly types: LiveAnswer<readonly ObjectType[]> }) {
  const layout = useLayout();
  const { go } = useRouter();
  const copyCommand = useCopyCommand();
  const { focused } = usePanes(panes);
  const list = useAnsweredList("object types", props.types, keyOf, listRows(layout.height));
  const command = list.count === 0 ? ["types", "seed"] : ["resources", "schema"];
  useKeys("place", { copyCommand: () => copyCommand.inWorkspace(command) });
  return (
    <ListPane<ObjectType>
      title="Object Types"
      list={list}
      columns={columns}
      width={layout.width}
      height={layout.height}
      focused={focused === "types"}
      loading="Loading Object Types"
      empty={{
        words: "This workspace has no Object Types yet: they define its records.",
        next: `${keyName(commonKeys.copyCommand)} copies the command that publishes a project's. ${keyName(shellKeys.goWorkspaces)} chooses another workspace.`,
      }}
      handlers={{
        open: list.cursor.act(({ slug }) => go({ place: "resources", objectType: slug })),
      }}
    />
  );
}
