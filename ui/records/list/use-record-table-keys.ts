import type { RecordFacts, RecordKeys } from "../keys.ts";
import type { ObjectType } from "#client/index.ts";
import { useKeys } from "../../kit/keys/use-keys.ts";
import type { CommandOptions } from "../../kit/text/command-line.ts";
import { usePlatformLink } from "../../shell/platform/use-platform.ts";
import { useCopy, useCopyCommand } from "../../shell/use-copy.ts";
import { useRouter } from "../../shell/use-router.ts";
import { useUploads } from "../../shell/use-uploads.ts";
import { useMarkedAction } from "../actions/use-marked-action.ts";
import { useRecordActions } from "../actions/use-record-actions.ts";
import { useRecordKeys } from "../actions/use-record-keys.ts";
import { sortText } from "../use-resources.ts";
import { useBatchDelete } from "./use-batch-delete.ts";
import { useExport } from "./use-export.ts";
import { markOf } from "./use-marks.ts";
import type { RecordTable } from "./use-record-table.ts";

/** Deletes the marked records, or the opened one if none is marked in sight. */
function useDeletion(type: ObjectType, table: RecordTable): () => void {
  const { panes, marks, opened } = table;
  const { refresh: refreshCounts } = usePlatformLink();
  const remove = useBatchDelete();
  return () => {
    const record = opened.get().row;
    const one = record === undefined ? [] : [markOf(record)];
    const chosen = marks.ids.size > 0 && !panes.listHidden ? [...marks.records.values()] : one;
    remove({
      objectType: type.slug,
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

/** The command that reads the opened record, else the marked ones, else the list. */
function commandOf(
  { slug }: ObjectType,
  { panes, opened, filter, sort, marks }: RecordTable,
): [words: string[], options?: CommandOptions] {
  const record = opened.get().row;
  if (panes.detailFocused && record !== undefined) return [["resources", "get", slug, record.id]];
  const words = ["resources", "list", slug];
  if (marks.ids.size === 0) return [words, { where: filter.where, sort: sort.option }];
  const where = JSON.stringify({ id: { $in: [...marks.ids] } });
  return [words, { all: true, where, sort: sort.option }];
}

/** Binds the keys of a record table. Keys of the list do nothing while the list is hidden. */
export function useRecordTableKeys(type: ObjectType, table: RecordTable): void {
  const { filter, panes, list, marks, sort, columns, opened, onChanged } = table;
  const { go, back } = useRouter();
  const copy = useCopy();
  const copyCommand = useCopyCommand();
  const uploads = useUploads();
  const writeFile = useExport();
  const remove = useDeletion(type, table);
  const active = !filter.typing;
  const actions = useRecordActions(type, onChanged);
  const { refresh } = usePlatformLink();
  const actOnMarked = useMarkedAction(type, (left) => {
    marks.keepOnly(left);
    onChanged();
    refresh();
  });
  // Marks that are out of sight are of no effect.
  const marked = panes.listHidden ? 0 : marks.ids.size;
  const act = () => actOnMarked([...marks.records.values()]);
  useRecordKeys(type, opened.act, marked === 0 ? actions : { ...actions, act }, {
    active,
    focused: panes.detailFocused,
  });
  const startExport = () =>
    writeFile({
      type: table.shownType,
      marked: marks.records,
      where: filter.where,
      sort: sortText(sort.sort),
      count: list.counted ? list.count : undefined,
      columns: columns.columns.map(({ id }) => id),
    });
  const listKeys = {
    filter: filter.start,
    sort: sort.choose,
    reverseSort: sort.reverse,
    columns: columns.choose,
    bars: () => go({ place: "resources", objectType: type.slug, bars: true }),
    markRange: marks.range,
    markAll: marks.all,
    export: startExport,
  };
  const leaveList = marks.ids.size > 0 ? marks.clear : filter.text === "" ? back : filter.clear;
  useKeys<RecordKeys, RecordFacts>(
    "place",
    {
      ...(panes.listHidden ? {} : listKeys),
      delete: remove,
      upload: uploads.canStartFor(type.slug)
        ? opened.act((record) => uploads.startFor(type.slug, record))
        : undefined,
      copyCommand: () => copyCommand.inWorkspace(...commandOf(type, table)),
      copyText: opened.act(({ data }) => copy(JSON.stringify(data))),
      goBack: panes.detailFocused ? panes.close : leaveList,
    },
    {
      active,
      facts: {
        marked,
        rows: opened.get().row === undefined ? list.count : Math.max(1, list.count),
      },
    },
  );
}
