import type { RecordKeys } from "../keys.ts";
import { commonKeys, listKeys } from "../../kit/keys/base-keys.ts";
import { Box } from "ink";
import { useMemo } from "react";
import type { ObjectType } from "#client/index.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { headingOf } from "../../kit/data-fields/record-columns.ts";
import { filterExample } from "../../kit/filter/filter-language.ts";
import { filteredList } from "../../kit/filter/filtered-list.tsx";
import { useFilter } from "../../kit/filter/use-filter.ts";
import { keyName } from "../../kit/keys/keys.ts";
import { useKeys } from "../../kit/keys/use-keys.ts";
import { ListPane, listRows } from "../../kit/lists/list-pane.tsx";
import { rowsFrom } from "../../kit/lists/live-list.ts";
import { useSelected } from "../../kit/state/store.ts";
import { paneBorder } from "../../kit/panes/pane.tsx";
import { useLayout, usePanes } from "../../kit/panes/use-panes.ts";
import { countWords } from "../../kit/text/words.ts";
import { useCopyCommand } from "../../shell/use-copy.ts";
import { useRouter } from "../../shell/use-router.ts";
import { referencesInValues } from "../record-references.ts";
import { useReferenceNames } from "../use-reference-names.ts";
import {
  barColumns,
  filterOfGroup,
  maximumGroups,
  metricsBody,
  metricWords,
  countOfRecords,
  groupableFields,
  possibleMetrics,
  type Bar,
  type Metric,
} from "./bars.ts";
import { useBars } from "./use-bars.ts";
import { useRemembered } from "../../kit/state/use-remembered.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";

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
        note: name === groupBy ? "now" : undefined,
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
        note: each.op === metric.op && each.field === metric.field ? "now" : undefined,
        choose: () => setMetric(each),
      })),
    });
  // Some types have no property that can group records.
  return { groupBy, metric, chooseMetric, ...(groupBy === undefined ? {} : { chooseGroup }) };
}

const panes = ["bars"];
/** Columns at the left of a table for the sign of the selected row. */
const gutter = 2;

/** The records of one Object Type in groups, as bars; Enter lists the records of a group. */
export function BarsScreen({ type }: { readonly type: ObjectType }) {
  const layout = useLayout();
  const { go, back } = useRouter();
  const copyCommand = useCopyCommand();
  const { groupBy, metric, chooseGroup, chooseMetric } = useBarChoices(type);
  // The record list has the same key: both show the same records.
  const filter = useFilter(type.slug, dataFields(type), filterExample);
  const { focused } = usePanes(panes, { active: !filter.typing });
  const height = layout.height - filter.rows;
  const { list, truncated } = useBars(
    { objectType: type.slug, groupBy, metric, where: filter.where },
    listRows(height),
  );
  const { sample } = list;
  const top = useSelected(list.cursor, (cursor) => cursor.top);
  const groups = rowsFrom(list, top, listRows(height)).map((bar) => bar?.group);
  const recordNameOf = useReferenceNames(referencesInValues(type, groupBy ?? "", groups));
  const columns = useMemo(() => {
    const width = layout.width - paneBorder - gutter;
    return barColumns(sample, groupBy ?? "", metric, width, recordNameOf);
  }, [sample, groupBy, metric, layout.width, recordNameOf]);
  const open = list.cursor.act(({ group }) => {
    if (groupBy === undefined) return;
    const text = filterOfGroup(filter.text, dataFields(type), groupBy, group);
    const narrowed = { id: crypto.randomUUID(), text };
    go({ place: "resources", objectType: type.slug, filter: narrowed });
  });
  useKeys<RecordKeys>(
    "place",
    {
      filter: filter.start,
      groupBy: chooseGroup,
      figure: chooseMetric,
      copyCommand: () =>
        groupBy !== undefined &&
        copyCommand.inWorkspace(["resources", "aggregate", type.slug], {
          "group-by": groupBy,
          metrics: JSON.stringify(metricsBody(metric)),
          where: filter.where,
        }),
      goBack: filter.text === "" ? back : filter.clear,
    },
    { active: !filter.typing },
  );
  const { above, mend, empty } = filteredList(filter, list.failure, "record", {
    words: `There is no ${type.slug} yet.`,
    next: `${keyName(commonKeys.goBack)} goes back.`,
  });
  const noGroups = { words: `${type.slug} has no property that can group its records.` };
  return (
    <Box flexDirection="column" flexShrink={0} width={layout.width} height={layout.height}>
      {filter.rows > 0 ? above.draw(layout.width) : null}
      <ListPane<Bar>
        title={`${type.slug} by ${headingOf(groupBy ?? "nothing")}`}
        facts={[metricWords(metric), ...filter.facts]}
        caution={truncated ? truncatedWords(groupBy ?? "") : undefined}
        list={list}
        mend={mend}
        columns={columns}
        width={layout.width}
        height={height}
        focused={!filter.typing && focused === "bars"}
        loading={`Loading figures of ${type.slug}`}
        empty={groupBy === undefined ? noGroups : empty}
        handlers={{ open }}
      />
    </Box>
  );
}

/** The platform sorts groups by their values, not by size: a cut list may lack the largest. */
function truncatedWords(groupBy: string): string {
  return (
    `These are the first ${countWords(maximumGroups)} groups in the order of ${headingOf(groupBy)}. ` +
    `There are more, and some may be larger: ${keyName(listKeys.filter)} narrows them down.`
  );
}
