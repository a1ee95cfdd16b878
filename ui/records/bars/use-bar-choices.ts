import { useMemo } from "react";
import type { ObjectType } from "#client/index.ts";
import { headingOf } from "../../kit/data-fields/record-columns.ts";
import { useRemembered } from "../../kit/state/use-remembered.tsx";
import { useOverlays } from "../../shell/overlays/use-overlays.tsx";
import {
  countOfRecords,
  groupableFields,
  metricWords,
  possibleMetrics,
  type Metric,
} from "./bars.ts";

/** The property and the figure of a type's bars, remembered between visits. */
export function useBarChoices(type: ObjectType) {
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
        beside: name === groupBy ? "now" : undefined,
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
        beside: each.op === metric.op && each.field === metric.field ? "now" : undefined,
        choose: () => setMetric(each),
      })),
    });
  // Some types have no property that can group records.
  return { groupBy, metric, chooseMetric, ...(groupBy === undefined ? {} : { chooseGroup }) };
}
