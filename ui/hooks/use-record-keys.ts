import type { ObjectType, Resource } from "#client/index.ts";
import { useKeys } from "./use-keys.tsx";
import type { RecordActions } from "./use-record-actions.ts";

/** The keys that change the record that is looked at, in a list and by itself alike. */
export function useRecordKeys(
  type: ObjectType,
  record: Resource | undefined,
  actions: RecordActions,
  active: boolean,
): void {
  const hasActions = (type.actions ?? []).length > 0;
  const onRecord = (change: (record: Resource) => void) => () => {
    if (record !== undefined) change(record);
  };
  useKeys(
    "place",
    {
      edit: onRecord(actions.edit),
      create: actions.create,
      act: hasActions ? onRecord(actions.act) : undefined,
      editInEditor: onRecord(actions.editInEditor),
      createInEditor: actions.createInEditor,
    },
    { active },
  );
}
