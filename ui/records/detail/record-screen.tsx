import type { RecordKeys } from "../keys.ts";
import { useMemo } from "react";
import type { ObjectType } from "#client/index.ts";
import { Pane, paneBorder } from "../../kit/panes/pane.tsx";
import { Failed, Skeleton, Stale } from "../../kit/panes/states.tsx";
import { useBatchDelete } from "../list/use-batch-delete.ts";
import { useCopy, useCopyCommand } from "../../shell/use-copy.ts";
import { goneWords } from "../../kit/lists/use-opened-row.ts";
import { actOn } from "../../kit/cursor/row-cursor.ts";
import { useKeys } from "../../kit/keys/use-keys.ts";
import { useLayout, usePanes } from "../../kit/panes/use-panes.ts";
import { markOf } from "../list/use-marks.ts";
import { usePlatformLink } from "../../shell/platform/use-platform.ts";
import { useRecordActions } from "../actions/use-record-actions.ts";
import { useRecordKeys } from "../actions/use-record-keys.ts";
import { useResource } from "../use-resources.ts";
import { useRouter } from "../../shell/router.ts";
import { RecordDetail } from "./record-detail.tsx";

const panes = ["record"];

/** One record on its own screen, opened from a reference. */
export function RecordScreen({ type, id }: { readonly type: ObjectType; readonly id: string }) {
  const { back } = useRouter();
  const { refresh: refreshCounts } = usePlatformLink();
  const remove = useBatchDelete();
  const copy = useCopy();
  const copyCommand = useCopyCommand();
  const layout = useLayout();
  const { focused } = usePanes(panes);
  const { value: record, failure, answeredAtMs, refresh } = useResource(type.slug, id);
  const isGone = failure?.status === 404;
  const isStale = failure !== undefined && record !== undefined && !isGone;
  const actions = useRecordActions(type, refresh);
  useRecordKeys(
    type,
    actOn(() => record),
    actions,
    {
      active: true,
      focused: focused === "record",
    },
  );
  const removeRecord = () =>
    record !== undefined &&
    remove({
      objectType: type.slug,
      chosen: [markOf(type, record)],
      onEnd: (left) => {
        if (left.size > 0) return refresh();
        back();
        refreshCounts();
      },
    });
  useKeys<RecordKeys>("place", {
    delete: record === undefined ? undefined : removeRecord,
    copyCommand: () => copyCommand.inWorkspace(["resources", "get", type.slug, id]),
    copyText: () => record !== undefined && copy(JSON.stringify(record.data)),
    goBack: back,
  });
  const area = useMemo(
    () => ({ width: layout.width, height: layout.height - (isStale ? 1 : 0) }),
    [layout, isStale],
  );
  const inner = { width: area.width - paneBorder, height: area.height - paneBorder };
  if (record === undefined) {
    return (
      <Pane title={type.slug} width={area.width} height={area.height} focused>
        {failure === undefined ? (
          <Skeleton {...inner} words={`Loading ${type.slug} ${id}`} />
        ) : (
          <Failed {...inner} failure={failure} />
        )}
      </Pane>
    );
  }
  return (
    <>
      {isStale ? <Stale failure={failure} answeredAtMs={answeredAtMs} width={area.width} /> : null}
      <RecordDetail
        type={type}
        record={record}
        area={area}
        focused={focused === "record"}
        caution={isGone ? goneWords : undefined}
        onChanged={refresh}
      />
    </>
  );
}
