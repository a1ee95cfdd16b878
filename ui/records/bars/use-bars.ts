import { useMemo } from "react";
import type { AggregateAnswer } from "#client/index.ts";
import { barsOf, maximumGroups, metricsBody, type Bar, type Metric } from "./bars.ts";
import { useAnswer } from "../../shell/platform/use-answer.ts";
import type { LiveList } from "../../kit/lists/live-list.ts";
import { useAnsweredList } from "../../shell/platform/use-list.ts";

interface BarsQuery {
  readonly objectType: string;
  readonly groupBy: string | undefined;
  readonly metric: Metric;
  readonly where: string | undefined;
}

const keyOf = (bar: Bar) => JSON.stringify(bar.group);

/** The groups of a type's records, largest first, and whether there are more than 1,000. */
export function useBars(
  query: BarsQuery,
  height: number,
): { readonly list: LiveList<Bar>; readonly truncated: boolean } {
  const { objectType, groupBy, metric, where } = query;
  const parts = ["resources.aggregate", objectType, groupBy, metric.op, metric.field, where];
  const answer = useAnswer<AggregateAnswer>(
    parts,
    (client, signal, tenantId) =>
      client.useResources(objectType, { tenantId }).aggregate(
        {
          groupBy: groupBy === undefined ? [] : [groupBy],
          metrics: metricsBody(metric),
          limit: maximumGroups,
          ...(where === undefined ? {} : { where: JSON.parse(where) }),
        },
        { signal },
      ),
    { shown: true, enabled: groupBy !== undefined },
  );
  const { value } = answer;
  const bars = useMemo(
    () => (value === undefined ? undefined : barsOf(value, groupBy ?? "", metric)),
    [value, groupBy, metric],
  );
  // There is no request if no property groups the records, and the answer has no groups.
  const known = groupBy === undefined ? { value: [], answeredAtMs: 0 } : { value: bars };
  const list = useAnsweredList(parts.join(" "), { ...answer, ...known }, keyOf, height);
  return { list, truncated: value?.truncated === true };
}
