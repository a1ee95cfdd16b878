import { recordKeys } from "../keys.ts";
import type { ObjectType, Resource } from "#client/index.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { headingOf } from "../../kit/data-fields/record-columns.ts";
import { filterExample } from "../../kit/filter/filter-language.ts";
import { filteredList } from "../../kit/filter/filtered-list.tsx";
import { useFilter } from "../../kit/filter/use-filter.ts";
import { keyOffer } from "../../kit/keys/keys.ts";
import { ListDetail } from "../../kit/lists/list-detail.tsx";
import type { Opened } from "../../kit/lists/use-opened-row.ts";
import type { Size } from "../../kit/panes/layout.ts";
import { listRows } from "../../kit/lists/list-pane.tsx";
import { useMasterDetail } from "../../kit/panes/use-master-detail.ts";
import { countWords } from "../../kit/text/words.ts";
import { useRole } from "../../shell/platform/use-workspaces.ts";
import { RecordDetail } from "../detail/record-detail.tsx";
import { useRecordTable, useShownRecord, type RecordTable } from "./use-record-table.ts";
import { useRecordTableKeys } from "./use-record-table-keys.ts";

export function RecordsScreen({ type }: { readonly type: ObjectType }) {
  const role = useRole();
  const filter = useFilter(type.slug, dataFields(type), filterExample);
  const panes = useMasterDetail(!filter.typing);
  const table = useRecordTable(type, filter, panes, listRows(panes.listHeight - filter.rows));
  useRecordTableKeys(type, table);
  const { list, marks, opened } = table;
  const { sort } = table.sort;
  return (
    <ListDetail<Resource>
      panes={panes}
      opened={opened}
      {...filteredList(filter, list.failure, "record", {
        words: `There is no ${type.slug} yet.`,
        next: `${keyOffer(recordKeys.create, "creates one", role)}.`,
      })}
      title={type.slug}
      facts={[
        // The filter is last: it may be long, and a narrow screen cuts off the end.
        ...(marks.ids.size === 0 ? [] : [`${countWords(marks.ids.size)} marked`]),
        `sort ${headingOf(sort.id)} ${sort.descending ? "↓" : "↑"}`,
        ...filter.facts,
      ]}
      list={list}
      columns={table.columns.columns}
      sort={sort}
      loading={`Loading ${type.slug}`}
      handlers={{ mark: marks.toggle }}
      marked={marks.ids}
      detail={(shown, area, focused) => (
        <ShownRecord type={type} table={table} shown={shown} area={area} focused={focused} />
      )}
    />
  );
}

function ShownRecord(props: {
  readonly type: ObjectType;
  readonly table: RecordTable;
  readonly shown: Opened<Resource>;
  readonly area: Size;
  readonly focused: boolean;
}) {
  const { type, table, shown, ...pane } = props;
  const { opened, filter, onChanged } = table;
  const { record, caution } = useShownRecord(type, opened, shown, filter.text);
  return (
    <RecordDetail {...pane} type={type} record={record} caution={caution} onChanged={onChanged} />
  );
}
