import { filterLine } from "../../kit/filter/filter-line.tsx";
import { useMemo } from "react";
import type { ObjectType, Resource } from "#client/index.ts";
import { commandLine } from "../../kit/text/command-line.ts";
import type { SortMark } from "../../kit/table/columns.ts";
import { ListDetail } from "../../kit/lists/list-detail.tsx";
import { listRows } from "../../kit/lists/list-pane.tsx";
import { useBatchDelete } from "./use-batch-delete.ts";
import { useCopy } from "../../shell/use-copy.ts";
import { useExport } from "./use-export.ts";
import { useFilter } from "../../kit/filter/use-filter.ts";
import { useChosenColumns } from "./use-chosen-columns.tsx";
import { useRemembered } from "../../kit/state/use-remembered.tsx";
import { useKeys } from "../../kit/keys/use-keys.tsx";
import { markOf, useMarks, type MarkedRecord } from "./use-marks.ts";
import { useMasterDetail } from "../../kit/panes/use-master-detail.ts";
import { useNow } from "../../kit/state/use-now.ts";
import { useOpenRecord } from "../detail/use-open-record.ts";
import { useOverlays } from "../../shell/overlays/use-overlays.tsx";
import { usePlatform } from "../../shell/platform/use-platform.tsx";
import { useReferenceNames } from "../use-reference-names.ts";
import { useRecordActions } from "../actions/use-record-actions.ts";
import { useRecordKeys } from "../actions/use-record-keys.ts";
import { sortText, useResources } from "../use-resources.ts";
import { useRouteFilter } from "./use-route-filter.ts";
import { useRouter } from "../../shell/use-router.tsx";
import { useUploads } from "../../shell/use-uploads.ts";
import {
  headingOf,
  possibleColumns,
  recordColumns,
  sortableFields,
  standardColumns,
} from "../../kit/data-fields/record-columns.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { referencesInRows } from "../record-references.ts";
import { filterExample } from "../../kit/filter/filter-language.ts";
import { filterHint, keyOffer } from "../../kit/keys/key-table.ts";
import { countWords } from "../../kit/text/words.ts";
import { useRole } from "../../shell/platform/use-workspaces.ts";
import { RecordDetail } from "../detail/record-detail.tsx";

const newestFirst: SortMark = { id: "created_at", descending: true };
const agesMs = 30_000;

/** The records of one Object Type: a table over any number of rows, and the selected one's details. */
export function RecordsScreen(props: { readonly type: ObjectType }) {
  const { type } = props;
  const { route, go, back } = useRouter();
  const { refresh } = usePlatform();
  const overlays = useOverlays();
  const role = useRole();
  const copy = useCopy();
  const nowMs = useNow(agesMs);
  const [sort, setSort] = useRemembered<SortMark>(`sort ${type.slug}`, newestFirst);
  const filter = useFilter(type.slug, dataFields(type), filterExample);
  const panes = useMasterDetail(!filter.typing);
  const rows = listRows(panes.listHeight - filter.rows);
  const list = useResources({ objectType: type.slug, sort, where: filter.where }, rows);
  useRouteFilter(type.slug, route, filter.use);
  const marks = useMarks(type.slug, list, { where: filter.where, sort: sortText(sort) });
  const opened = useOpenRecord(type, list, { isOpen: panes.detailChosen, filter: filter.text });
  // What is looked at: the list may have another row selected by now.
  const { record } = opened;
  const onChanged = () => {
    list.refresh();
    opened.refresh();
  };
  const actions = useRecordActions(type, onChanged);
  const remove = useBatchDelete();
  const writeFile = useExport();
  const uploads = useUploads();
  const marked = marks.ids.size;
  // What is marked in sight, else what is looked at.
  const chosen = () =>
    marked > 0 && !panes.listHidden
      ? [...marks.records.values()]
      : record === undefined
        ? []
        : [markOf(record)];
  const [keptColumns, keepColumns] = useChosenColumns(type.slug);
  const visible = Array.from({ length: rows }, (_, offset) => list.rowAt(list.cursor.top + offset));
  const recordNameOf = useReferenceNames(
    referencesInRows(type, keptColumns ?? standardColumns(type), visible),
  );
  const listed = <Run,>(run: Run) => (panes.listHidden ? undefined : run);
  const columns = useMemo(
    () => recordColumns(type, nowMs, keptColumns, recordNameOf),
    [type, nowMs, keptColumns, recordNameOf],
  );
  const chooseColumns = () =>
    overlays.show({
      kind: "columns",
      question: {
        title: `Columns of ${type.slug}`,
        possible: possibleColumns(type),
        shown: columns.map(({ id }) => id),
        standard: standardColumns(type),
        onKeep: keepColumns,
      },
    });
  const order = sortText(sort);
  const afterDelete = (asked: readonly MarkedRecord[], left: ReadonlySet<string>) => {
    const gone = new Set(asked.map(({ id }) => id).filter((id) => !left.has(id)));
    marks.keepOnly(new Set([...marks.ids].filter((id) => !gone.has(id))));
    if (panes.detailFocused && record !== undefined && gone.has(record.id)) panes.close();
    // The counts beside the types change as well.
    refresh();
  };
  const removeChosen = () => {
    const asked = chosen();
    remove({
      objectType: type.slug,
      chosen: asked,
      onEnd: (left) => afterDelete(asked, left),
    });
  };
  const goBack = panes.detailFocused
    ? panes.close
    : marked > 0
      ? marks.clear
      : filter.text === ""
        ? back
        : filter.clear;

  const chooseSort = () =>
    overlays.show({
      kind: "choose",
      title: "Sort by",
      placeholder: "a field",
      choices: sortableFields(type).map((id) => ({
        id,
        words: headingOf(id),
        note: sort.id === id ? (sort.descending ? "↓ now" : "↑ now") : undefined,
        choose: () =>
          setSort({ id, descending: sort.id === id ? !sort.descending : id.endsWith("_at") }),
      })),
    });
  const command = () =>
    panes.detailFocused && record !== undefined
      ? commandLine(["resources", "get", type.slug, record.id])
      : commandLine(["resources", "list", type.slug], {
          where: filter.where,
          sort: order === sortText(newestFirst) ? undefined : order,
        });
  useRecordKeys(type, record, actions, {
    active: !filter.typing,
    focused: panes.detailFocused,
  });
  useKeys(
    "place",
    {
      filter: listed(filter.start),
      sort: listed(chooseSort),
      reverseSort: listed(() => setSort((now) => ({ ...now, descending: !now.descending }))),
      columns: listed(chooseColumns),
      bars: listed(() => go({ place: "resources", objectType: type.slug, bars: true })),
      delete: removeChosen,
      markRange: listed(marks.range),
      markAll: listed(marks.all),
      export: listed(() =>
        writeFile({
          type,
          marked: marks.records,
          where: filter.where,
          sort: order,
          count: list.counted ? list.count : undefined,
          columns: columns.map(({ id }) => id),
        }),
      ),
      upload: uploads.canStartFor(type.slug)
        ? () => record !== undefined && uploads.startFor(type.slug, record)
        : undefined,
      copyCommand: () => copy(command()),
      copyText: () => record !== undefined && copy(JSON.stringify(record.data)),
      goBack,
    },
    {
      active: !filter.typing,
      facts: { rows: record === undefined ? list.count : Math.max(1, list.count) },
    },
  );

  return (
    <ListDetail<Resource>
      panes={panes}
      above={filterLine(filter, list.failure)}
      title={type.slug}
      facts={[
        // What a narrow screen cuts off stands last: a filter may be long.
        ...(marked === 0 ? [] : [`${countWords(marked)} marked`]),
        `sort ${headingOf(sort.id)} ${sort.descending ? "↓" : "↑"}`,
        ...(filter.text === "" ? [] : [`filter ${filter.text}`]),
      ]}
      list={list}
      mend={filter.mend(list.failure)}
      columns={columns}
      sort={sort}
      loading={`Loading ${type.slug}`}
      empty={
        filter.text === ""
          ? {
              words: `There is no ${type.slug} yet.`,
              next: `${keyOffer("create", "creates one", role)}. svc resources create does it from a script.`,
            }
          : { words: "No record fits this filter.", next: filterHint() }
      }
      handlers={{ mark: marks.toggle }}
      marked={marks.ids}
      detail={(area, focused) => (
        <RecordDetail
          key="detail"
          type={type}
          record={record}
          caution={opened.caution}
          area={area}
          focused={focused}
          onChanged={onChanged}
        />
      )}
    />
  );
}
