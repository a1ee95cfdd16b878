import type { ObjectType, Resource } from "#client/index.ts";
import { actionRoleOf } from "./record-action.ts";
import { useKeys } from "../../kit/keys/use-keys.tsx";
import type { RecordActions } from "./use-record-actions.ts";

/** The keys that change the record that is looked at, in a list and by itself alike. */
export function useRecordKeys(
  type: ObjectType,
  record: Resource | undefined,
  actions: RecordActions,
  options: {
    readonly active: boolean;
    /** The record itself has the focus, so that its keys come before a list's. */
    readonly focused: boolean;
  },
): void {
  const { active, focused } = options;
  const hasActions = (type.actions ?? []).length > 0;
  const onRecord = (change: (record: Resource) => void) => () => {
    if (record !== undefined) change(record);
  };
  useKeys(
    focused ? "pane" : "place",
    { edit: onRecord(actions.edit), act: hasActions ? onRecord(actions.act) : undefined },
    { active, facts: { actionRole: actionRoleOf(type) } },
  );
  useKeys(
    "place",
    {
      create: actions.create,
      editInEditor: onRecord(actions.editInEditor),
      createInEditor: actions.createInEditor,
    },
    { active },
  );
}
