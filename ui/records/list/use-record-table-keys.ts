import type { Resource } from "#client/index.ts";
import type { CommandWords } from "../../kit/places/action.ts";
import type { PlaceNow } from "../../kit/places/list-place.tsx";
import { usePlatformLink, type Platform } from "../../shell/platform/use-platform.ts";
import { useRouter } from "../../shell/router.ts";
import { useUploads } from "../../shell/use-uploads.ts";
import { useMarkedAction } from "../actions/use-marked-action.ts";
import { useRecordActions } from "../actions/use-record-actions.ts";
import type { RecordChanged } from "../actions/use-record-forms.ts";
import { useRecordKeys } from "../actions/use-record-keys.ts";
import { useImport } from "../import/use-import.tsx";
import { indexesOf, sortText } from "../use-resources.ts";
import { useBatchDelete } from "./use-batch-delete.ts";
import { useExport } from "./use-export.ts";
import { useViewKeys } from "./views/use-view-keys.ts";
import { placeProperties } from "../../kit/map/map-window.ts";
import { markOf } from "./use-marks.ts";
import type { RecordTable, TypeProps } from "./use-record-table.ts";

type RecordsNow = PlaceNow<Resource, RecordTable, TypeProps>;

/** Deletes the marked records, or the opened one if none is marked in sight. */
function useDeletion(now: RecordsNow): () => void {
  const { props, panes, opened, table } = now;
  const { marks } = table;
  const { refresh: refreshCounts } = usePlatformLink();
  const remove = useBatchDelete();
  return () => {
    const record = opened.get().row;
    const one = record === undefined ? [] : [markOf(props.type, record)];
    const chosen = markedInSight(now) > 0 ? [...marks.records.values()] : one;
    remove({
      objectType: props.type.slug,
      chosen,
      onEnd: (left) => {
        const gone = new Set(chosen.map(({ id }) => id).filter((id) => !left.has(id)));
        marks.keepOnly(new Set([...marks.ids].filter((id) => !gone.has(id))));
        if (panes.detailFocused && record !== undefined && gone.has(record.id)) panes.close();
        refreshCounts();
      },
    });
  };
}

/** The number of the marked records. Marks that are out of sight are of no effect. */
function markedInSight({ panes, table }: RecordsNow): number {
  return panes.listHidden ? 0 : table.marks.ids.size;
}

/** The command that reads the opened record, else the marked ones, else the list. */
export function listCommand(record: Resource | undefined, now: RecordsNow): CommandWords {
  const { props, panes, filter, table } = now;
  const { slug } = props.type;
  const { order, marks } = table;
  if (panes.detailFocused && record !== undefined) return [["resources", "get", slug, record.id]];
  const words = ["resources", "list", slug];
  if (marks.ids.size === 0) return [words, { where: filter.where, sort: order.option }];
  const where = JSON.stringify({ id: { $in: [...marks.ids] } });
  return [words, { all: true, where, sort: order.option }];
}

/** Returns a function that shows a change; a created record is selected. */
export function recordChange(platform: Platform, now: RecordsNow): RecordChanged {
  const { panes, opened, table } = now;
  const { list, query } = table;
  return (created) => {
    const { client, tenantId } = platform.state.get();
    if (created === undefined || client === undefined) list.refresh();
    else {
      panes.close();
      list.reveal(created.id, indexesOf(client, created, query, tenantId));
    }
    // A record that the list no longer has is read on its own.
    if (opened.get().isLost) platform.refresh();
  };
}

/** The keys of a record table. Those of the list do nothing while the list is hidden. */
export function useRecordHandlers(now: RecordsNow) {
  const { props, filter, panes, opened, table } = now;
  const { type } = props;
  const { list, marks, order } = table;
  const { go } = useRouter();
  const uploads = useUploads();
  const writeFile = useExport();
  const platform = usePlatformLink();
  const startImport = useImport(type, () => {
    list.refresh();
    platform.refresh();
  });
  const remove = useDeletion(now);
  const onChanged = recordChange(platform, now);
  const actions = useRecordActions(type, onChanged);
  const actOnMarked = useMarkedAction(type, (left) => {
    marks.keepOnly(left);
    onChanged();
    platform.refresh();
  });
  const act = () => actOnMarked([...marks.records.values()]);
  useRecordKeys(type, opened.act, markedInSight(now) === 0 ? actions : { ...actions, act }, {
    active: !filter.typing,
    focused: panes.detailFocused,
  });
  const viewKeys = useViewKeys(type, table.views);
  const startExport = () =>
    writeFile({
      type: table.shownType,
      marked: marks.records,
      where: filter.where,
      sort: sortText(order.sort),
      count: list.counted ? list.count : undefined,
      columns: table.columns.map(({ id }) => id),
    });
  const listKeys = {
    ...viewKeys,
    sort: order.choose,
    reverseSort: order.reverse,
    columns: table.chooseColumns,
    map:
      placeProperties(type).length === 0
        ? undefined
        : () => go({ place: "resources", objectType: type.slug, map: true }),
    bars: () => go({ place: "resources", objectType: type.slug, bars: true }),
    deleted: () => go({ place: "resources", objectType: type.slug, deleted: true }),
    export: startExport,
    import: startImport,
  };
  const uploadFor = opened.act((record) => uploads.startFor(type.slug, record));
  return {
    ...(panes.listHidden ? {} : listKeys),
    delete: remove,
    upload: uploads.canStartFor(type.slug) ? uploadFor : undefined,
  };
}
