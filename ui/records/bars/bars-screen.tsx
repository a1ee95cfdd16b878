import { useMemo } from "react";
import type { ObjectType } from "#client/index.ts";
import { defaultAggregateLimit } from "#contract/limits.ts";
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
  filterOfBar,
  groupLimit,
  metricFor,
  metricsBody,
  metricWords,
  possibleMetrics,
  splittingFields,
  type Bar,
  type BarQuery,
  type Metric,
} from "./bars.ts";
import { groupingId, groupingsOf, groupingWords, type Grouping } from "./grouping.ts";
import { groupFields, useBars } from "./use-bars.ts";

/** The grouping, the second property and the figure of a type's bars, remembered between visits. */
function useBarChoices(type: ObjectType) {
  const overlays = useOverlays();
  const groupings = useMemo(() => groupingsOf(type), [type]);
  const [group, setGroup] = useRemembered(`bars of ${type.slug}`, firstOf(groupings));
  const [split, setSplit] = useRemembered(`parts of bars of ${type.slug}`, "");
  const [wanted, setMetric] = useRemembered<Metric>(`figure of ${type.slug}`, countOfRecords);
  const grouping = groupings.find((each) => groupingId(each) === group) ?? groupings[0];
  const splitting = useMemo(
    () => (grouping === undefined ? [] : splittingFields(type, grouping)),
    [type, grouping],
  );
  const splitBy = splitting.includes(split) ? split : undefined;
  const query = useMemo(() => grouping && { ...grouping, splitBy }, [grouping, splitBy]);
  const metric = query === undefined ? wanted : metricFor(wanted, query);
  const chooseGroup = () =>
    overlays.choose({
      title: "Group by",
      placeholder: "a field",
      choices: groupings.map((each) => ({
        id: groupingId(each),
        words: groupingWords(each),
        isCurrent: each === grouping,
        choose: () => setGroup(groupingId(each)),
      })),
    });
  const chooseSplit = () =>
    overlays.choose({
      title: "Parts of each bar",
      placeholder: "a second field, or none",
      choices: ["", ...splitting].map((name) => ({
        id: name,
        words: name === "" ? "no parts" : headingOf(name),
        isCurrent: name === (splitBy ?? ""),
        choose: () => setSplit(name),
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
  return {
    query,
    metric,
    chooseMetric,
    // Some types have no property that can group records, or part bars.
    ...(query === undefined ? {} : { chooseGroup }),
    ...(splitting.length === 0 ? {} : { chooseSplit }),
  };
}

function firstOf(groupings: readonly Grouping[]): string {
  const [first] = groupings;
  return first === undefined ? "" : groupingId(first);
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
  const { query, metric } = choices;
  const request = { objectType: type.slug, query, metric, where: filter.where };
  const { list, shown, truncated } = useBars(request, height);
  const top = useStore(list.cursor.top);
  const groups = rowsFrom(list, top, height).map((bar) => bar?.group);
  const recordNameOf = useNames(
    referenceNamesPart,
    referencesInValues(type, query?.field ?? "", groups),
  );
  const columns = useMemo(() => {
    const room = width - paneBorder - gutter;
    return barColumns(shown, query ?? noGrouping, metric, room, recordNameOf);
  }, [shown, query, metric, width, recordNameOf]);
  const caution = truncated && query !== undefined ? truncatedWords(query) : undefined;
  return { list, columns, choices, facts: [metricWords(metric)], caution };
}

const noGrouping: Grouping = { field: "" };

type BarsNow = PlaceNow<Bar, BarTable, TypeProps>;

function useBarHandlers({ table: { choices } }: BarsNow) {
  const { chooseGroup, chooseSplit, chooseMetric } = choices;
  return { groupBy: chooseGroup, partBy: chooseSplit, figure: chooseMetric };
}

/** Lists the records of the selected group. */
function useOpening({ props: { type }, filter, opened, table }: BarsNow) {
  const { go } = useRouter();
  const { query } = table.choices;
  const open = opened.act((bar) => {
    if (query === undefined) return;
    const text = filterOfBar(filter.text, dataFields(type), query.field, bar);
    const narrowed = { id: crypto.randomUUID(), text };
    go({ place: "resources", objectType: type.slug, filter: narrowed });
  });
  return { open };
}

const noGroups = ({ slug }: ObjectType) => `${slug} has no property that can group its records.`;

/** What the bars show, e.g. `received by month ▸ status`. */
function queryWords(query: BarQuery | undefined): string {
  if (query === undefined) return "by nothing";
  const { step, splitBy } = query;
  const parts = splitBy === undefined ? "" : ` ▸ ${headingOf(splitBy)}`;
  return `${step === undefined ? "by" : "─"} ${groupingWords(query)}${parts}`;
}

/** The records of one Object Type in groups, as bars; Enter lists the records of a group. */
export const BarsScreen = tablePlace<Bar, RecordKeys, BarTable, TypeProps>({
  name: ({ type }) => `bars of ${type.slug}`,
  title: ({ props, table }) => `${props.type.slug} ${queryWords(table.choices.query)}`,
  loading: ({ type }) => `Loading figures of ${type.slug}`,
  filter: ({ type }) =>
    recordFilter(type, groupingsOf(type).length === 0 ? noGroups(type) : undefined),
  useTable: useBarTable,
  useHandlers: useBarHandlers,
  useListHandlers: useOpening,
  command: (_, { props, filter, table }) => {
    const { query, metric } = table.choices;
    if (query === undefined) return undefined;
    const metrics = JSON.stringify(metricsBody(metric, query.step));
    const limit = groupLimit(query);
    return [
      ["resources", "aggregate", props.type.slug],
      {
        "group-by": groupFields(query).join(","),
        metrics,
        where: filter.where,
        ...(limit === defaultAggregateLimit ? {} : { limit }),
      },
    ];
  },
  empty: ({ props, table }) =>
    table.choices.query === undefined
      ? { words: noGroups(props.type) }
      : {
          words: `There is no ${props.type.slug} yet.`,
          next: `${keyName(commonKeys.goBack)} goes back.`,
        },
});

/** The platform sorts groups by their values, not by size: a cut list may lack the largest. */
function truncatedWords(query: BarQuery): string {
  return (
    `These are the first ${countWords(groupLimit(query))} groups in the order of ` +
    `${headingOf(query.field)}. ` +
    `There are more, and some may be larger: ${keyName(listKeys.filter)} narrows them down.`
  );
}
