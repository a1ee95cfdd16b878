import { filterLine } from "../../kit/filter/filter-line.tsx";
import { Box } from "ink";
import { useMemo } from "react";
import type { ObjectType } from "#client/index.ts";
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
import { commandLine } from "../../kit/text/command-line.ts";
import { ListPane, listRows } from "../../kit/lists/list-pane.tsx";
import { paneBorder } from "../../kit/panes/pane.tsx";
import { useBars } from "./use-bars.ts";
import { useCopy } from "../../shell/use-copy.ts";
import { useFilter } from "../../kit/filter/use-filter.ts";
import { useRemembered } from "../../kit/state/use-remembered.tsx";
import { useKeys } from "../../kit/keys/use-keys.tsx";
import { useLayout } from "../../kit/panes/use-layout.tsx";
import { useOverlays } from "../../shell/overlays/use-overlays.tsx";
import { usePanes } from "../../kit/panes/use-panes.tsx";
import { useReferenceNames } from "../use-reference-names.ts";
import { useRouter } from "../../shell/use-router.tsx";
import { filterHint, keyName } from "../../kit/keys/key-table.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { filterExample } from "../../kit/filter/filter-language.ts";
import { referencesInValues } from "../record-references.ts";
import { headingOf } from "../../kit/data-fields/record-columns.ts";
import { countWords } from "../../kit/text/words.ts";

const panes = ["bars"];
/** Columns beside the table's own: the sign of the selected row. */
const gutter = 2;

/** The records of one Object Type in groups, as bars; Enter shows the records of a group. */
export function BarsScreen(props: { readonly type: ObjectType }) {
  const { type } = props;
  const layout = useLayout();
  const { go, back } = useRouter();
  const overlays = useOverlays();
  const copy = useCopy();
  const fields = useMemo(() => groupableFields(type), [type]);
  const [keptGroup, setGroup] = useRemembered(`bars of ${type.slug}`, fields[0] ?? "");
  const [metric, setMetric] = useRemembered<Metric>(`figure of ${type.slug}`, countOfRecords);
  const groupBy = fields.includes(keptGroup) ? keptGroup : fields[0];
  // The list's own filter: what is counted here is what is listed there.
  const filter = useFilter(type.slug, dataFields(type), filterExample);
  const { focused } = usePanes(panes, { active: !filter.typing });
  const height = layout.height - filter.rows;
  const { list, truncated } = useBars(
    { objectType: type.slug, groupBy, metric, where: filter.where },
    listRows(height),
  );
  const { selected, sample } = list;
  const groups = Array.from(
    { length: listRows(height) },
    (_, offset) => list.rowAt(list.cursor.top + offset)?.group,
  );
  const recordNameOf = useReferenceNames(referencesInValues(type, groupBy ?? "", groups));
  const columns = useMemo(() => {
    const width = layout.width - paneBorder - gutter;
    return barColumns(sample, groupBy ?? "", metric, width, recordNameOf);
  }, [sample, groupBy, metric, layout.width, recordNameOf]);
  const chooseGroup = () =>
    overlays.show({
      kind: "choose",
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
    overlays.show({
      kind: "choose",
      title: "Figure of each group",
      placeholder: "a figure",
      choices: possibleMetrics(type).map((one) => ({
        id: `${one.op} ${one.field ?? ""}`,
        words: metricWords(one),
        note: one.op === metric.op && one.field === metric.field ? "now" : undefined,
        choose: () => setMetric(one),
      })),
    });
  const open = () => {
    if (selected === undefined || groupBy === undefined) return;
    const narrowed = filterOfGroup(filter.text, dataFields(type), groupBy, selected.group);
    const wanted = { id: crypto.randomUUID(), text: narrowed };
    go({ place: "resources", objectType: type.slug, filter: wanted });
  };
  useKeys(
    "place",
    {
      filter: filter.start,
      groupBy: fields.length > 0 ? chooseGroup : undefined,
      figure: chooseMetric,
      copyCommand: () =>
        copy(
          commandLine(["resources", "aggregate", type.slug], {
            "group-by": groupBy,
            metrics: JSON.stringify(metricsBody(metric)),
            where: filter.where,
          }),
        ),
      goBack: filter.text === "" ? back : filter.clear,
    },
    { active: !filter.typing },
  );
  return (
    <Box flexDirection="column" flexShrink={0} width={layout.width} height={layout.height}>
      {filter.rows > 0 ? filterLine(filter, list.failure).draw(layout.width) : null}
      <ListPane<Bar>
        title={`${type.slug} by ${headingOf(groupBy ?? "nothing")}`}
        facts={[metricWords(metric), ...(filter.text === "" ? [] : [`filter ${filter.text}`])]}
        caution={truncated ? truncatedWords(groupBy ?? "") : undefined}
        list={list}
        mend={filter.mend(list.failure)}
        columns={columns}
        width={layout.width}
        height={height}
        focused={!filter.typing && focused === "bars"}
        loading={`Working out figures of ${type.slug}`}
        empty={
          groupBy === undefined
            ? { words: `${type.slug} has no property whose values can be put in groups.` }
            : filter.text === ""
              ? { words: `There is no ${type.slug} yet.`, next: `${keyName("goBack")} goes back.` }
              : { words: "No record fits this filter.", next: filterHint() }
        }
        handlers={{ open }}
      />
    </Box>
  );
}

/** The platform gives groups in the order of their values, so that larger ones may be left out. */
function truncatedWords(groupBy: string): string {
  return (
    `These are the first ${countWords(maximumGroups)} groups in the order of ${headingOf(groupBy)}. ` +
    `There are more, and larger ones may be among them: ${keyName("filter")} narrows them down.`
  );
}
