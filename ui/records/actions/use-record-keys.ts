import type { RecordFacts, RecordKeys } from "../keys.ts";
import type { ObjectType, Resource } from "#client/index.ts";
import { actionRoleOf } from "./record-action.ts";
import { useKeys } from "../../kit/keys/use-keys.ts";
import type { RecordActions } from "./use-record-actions.ts";

/** The keys that change the opened record, on which `onRecord` acts: in a list or on its own. */
export function useRecordKeys(
  type: ObjectType,
  onRecord: (change: (record: Resource) => void) => () => void,
  actions: RecordActions,
  options: {
    readonly active: boolean;
    /** The record has the focus: its keys come before those of the list. */
    readonly focused: boolean;
  },
): void {
  const { active, focused } = options;
  const hasActions = (type.actions ?? []).length > 0;
  useKeys<RecordKeys, RecordFacts>(
    focused ? "pane" : "place",
    { edit: onRecord(actions.edit), act: hasActions ? onRecord(actions.act) : undefined },
    { active, facts: { actionRole: actionRoleOf(type) } },
  );
  useKeys<RecordKeys, RecordFacts>(
    "place",
    {
      editCell: onRecord(actions.editCell),
      create: actions.create,
      editInEditor: onRecord(actions.editInEditor),
      createInEditor: actions.createInEditor,
    },
    { active },
  );
}
