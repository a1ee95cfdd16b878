import { recordName } from "../record-columns.ts";
import { useNotices } from "./use-notices.tsx";
import { useOverlays } from "./use-overlays.tsx";
import { usePlatform } from "./use-platform.tsx";

/** Records that are offered; others are reached by typing their id. */
const offeredRecords = 100;

/** Choosing one of the newest records of an Object Type; gives its id. */
export function useRecordPicker(): (objectType: string, onPick: (id: string) => void) => void {
  const { client, session } = usePlatform();
  const overlays = useOverlays();
  const { say, sayFailure } = useNotices();
  const tenantId = session.workspace?.id;
  return (objectType, onPick) => {
    if (client === undefined) return;
    const show = async () => {
      const records = client.useResources(objectType, { tenantId });
      const { items } = await records.list({ limit: offeredRecords });
      if (items.length === 0) {
        say("note", `there is no ${objectType} yet`);
        return;
      }
      overlays.show({
        kind: "choose",
        title: `Choose a ${objectType}`,
        placeholder: `one of the newest ${offeredRecords}; type the id of another in its field`,
        choices: items.map((record) => ({
          id: record.id,
          words: recordName(record),
          beside: record.id,
          choose: () => onPick(record.id),
        })),
      });
    };
    show().catch(sayFailure);
  };
}
