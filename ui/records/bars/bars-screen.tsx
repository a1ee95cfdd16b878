import { useMemo } from "react";
import type { ObjectType } from "#client/index.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { headingOf } from "../../kit/data-fields/record-columns.ts";
import { commonKeys, listKeys } from "../../kit/keys/base-keys.ts";
import { keyName } from "../../kit/keys/keys.ts";
import { rowsFrom } from "../../kit/lists/live-list.ts";
import { paneBorder } from "../../kit/panes/pane.tsx";
import { useLayout } from "../../kit/panes/use-panes.ts";
import {
  tablePlace,
  type PlaceNow,
  type PlaceTable,
  type TableRequest,
} from "../../kit/places/list-place.tsx";
import { useStore } from "../../kit/state/store.ts";
import { useRemembered } from "../../kit/state/use-remembered.ts";
import { countWords } from "../../kit/text/words.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { useRouter } from "../../shell/router.ts";
import type { RecordKeys } from "../keys.ts";
import { recordFilter } from "../list/record-filter.ts";
import type { TypeProps } from "../list/use-record-table.ts";
import { referencesInValues } from "../record-references.ts";
import { useNames } from "../../shell/platform/names.ts";
import { referenceNamesPart } from "../reference-names.ts";
import {
  barColumns,
  countOfRecords,
  filterOfGroup,
  groupableFields,
  maximumGroups,
  metricsBody,
  metricWords,
  possibleMetrics,
  type Bar,
  type Metric,
} from "./bars.ts";
import { useBars } from "./use-bars.ts";

/** The property and the figure of a type's bars, remembered between visits. */
function useBarChoices(type: ObjectType) {
  const overlays = useOverlays();
  const fields = useMemo(() => groupableFields(type), [type]);
  const [group, setGroup] = useRemembered(`bars of ${type.slug}`, fields[0] ?? "");
  const [metric, setMetric] = useRemembered<Metric>(`figure of ${type.slug}`, countOfRecords);
  const groupBy = fields.includes(group) ? group : fields[0];
  const chooseGroup = () =>
    overlays.choose({
      title: "Group by",
      placeholder: "a field",
      choices: fields.map((name) => ({
        id: name,
        words: headingOf(name),
        isCurrent: name === groupBy,
        choose: () => setGroup(name),
      })),
    });
  const chooseMetric = () =>
    overlays.choose({
      title: "Figure of each group",
      placeholder: "a figure",
      choices: possibleMetrics(type).map((each) => ({
        id: `${each.op} ${each.field ?? ""}`,
        words: metricWords(each),
        isCurrent: each.op === metric.op && each.field === metric.field,
        choose: () => setMetric(each),
      })),
    });
  // Some types have no property that can group records.
  return { groupBy, metric, chooseMetric, ...(groupBy === undefined ? {} : { chooseGroup }) };
}

/** Columns at the left of a table for the sign of the selected row. */
const gutter = 2;

interface BarTable extends PlaceTable<Bar> {
  readonly choices: ReturnType<typeof useBarChoices>;
}

function useBarTable({ props, filter, height }: TableRequest<TypeProps>): BarTable {
  const { type } = props;
  const { width } = useLayout();
  const choices = useBarChoices(type);
  const { groupBy, metric } = choices;
  const query = { objectType: type.slug, groupBy, metric, where: filter.where };
  const { list, truncated } = useBars(query, height);
  const { sample } = list;
  const top = useStore(list.cursor.top);
  const groups = rowsFrom(list, top, height).map((bar) => bar?.group);
  const recordNameOf = useNames(
    referenceNamesPart,
    referencesInValues(type, groupBy ?? "", groups),
  );
  const columns = useMemo(
    () => barColumns(sample, groupBy ?? "", metric, width - paneBorder - gutter, recordNameOf),
    [sample, groupBy, metric, width, recordNameOf],
  );
  const caution = truncated ? truncatedWords(groupBy ?? "") : undefined;
  return { list, columns, choices, facts: [metricWords(metric)], caution };
}

type BarsNow = PlaceNow<Bar, BarTable, TypeProps>;

function useBarHandlers({ table: { choices } }: BarsNow) {
  return { groupBy: choices.chooseGroup, figure: choices.chooseMetric };
}

/** Lists the records of the selected group. */
function useOpening({ props: { type }, filter, opened, table }: BarsNow) {
  const { go } = useRouter();
  const { groupBy } = table.choices;
  const open = opened.act(({ group }) => {
    if (groupBy === undefined) return;
    const text = filterOfGroup(filter.text, dataFields(type), groupBy, group);
    const narrowed = { id: crypto.randomUUID(), text };
    go({ place: "resources", objectType: type.slug, filter: narrowed });
  });
  return { open };
}

const noGroups = ({ slug }: ObjectType) => `${slug} has no property that can group its records.`;

/** The records of one Object Type in groups, as bars; Enter lists the records of a group. */
export const BarsScreen = tablePlace<Bar, RecordKeys, BarTable, TypeProps>({
  name: ({ type }) => `bars of ${type.slug}`,
  title: ({ props, table }) =>
    `${props.type.slug} by ${headingOf(table.choices.groupBy ?? "nothing")}`,
  loading: ({ type }) => `Loading figures of ${type.slug}`,
  filter: ({ type }) =>
    recordFilter(type, groupableFields(type).length === 0 ? noGroups(type) : undefined),
  useTable: useBarTable,
  useHandlers: useBarHandlers,
  useListHandlers: useOpening,
  command: (_, { props, filter, table }) => {
    const { groupBy, metric } = table.choices;
    if (groupBy === undefined) return undefined;
    const metrics = JSON.stringify(metricsBody(metric));
    return [
      ["resources", "aggregate", props.type.slug],
      { "group-by": groupBy, metrics, where: filter.where },
    ];
  },
  empty: ({ props, table }) =>
    table.choices.groupBy === undefined
      ? { words: noGroups(props.type) }
      : {
          words: `There is no ${props.type.slug} yet.`,
          next: `${keyName(commonKeys.goBack)} goes back.`,
        },
});

/** The platform sorts groups by their values, not by size: a cut list may lack the largest. */
function truncatedWords(groupBy: string): string {
  return (
    `These are the first ${countWords(maximumGroups)} groups in the order of ${headingOf(groupBy)}. ` +
    `There are more, and some may be larger: ${keyName(listKeys.filter)} narrows them down.`
  );
}
