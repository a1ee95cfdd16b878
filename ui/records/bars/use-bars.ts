import { useMemo } from "react";
import type { AggregateAnswer } from "#client/index.ts";
import {
  barsOf,
  groupLimit,
  metricsBody,
  type Bar,
  type BarQuery,
  type Bars,
  type Metric,
} from "./bars.ts";
import { groupingId } from "./grouping.ts";
import { useAnswer } from "../../shell/platform/use-answer.ts";
import type { LiveList } from "../../kit/lists/live-list.ts";
import { useAnsweredList } from "../../shell/platform/use-list.ts";

interface BarsQuery {
  readonly objectType: string;
  /** Absent where no property can group records. */
  readonly query: BarQuery | undefined;
  readonly metric: Metric;
  readonly where: string | undefined;
}

const keyOf = (bar: Bar) => JSON.stringify(bar.group);
const noBars: Bars = { bars: [], parts: [] };

/** The fields of an aggregation that gives the bars of a query. */
export function groupFields({ field, splitBy }: BarQuery): string[] {
  return splitBy === undefined ? [field] : [field, splitBy];
}

/** The bars of a type's records, and whether there are more groups than one request reads. */
export function useBars(
  { objectType, query, metric, where }: BarsQuery,
  height: number,
): { readonly list: LiveList<Bar>; readonly shown: Bars; readonly truncated: boolean } {
  const id = query && groupingId(query);
  const parts = ["resources.aggregate", objectType, id, query?.splitBy, metric.op, metric.field];
  const answer = useAnswer<AggregateAnswer>(
    [...parts, where],
    (client, signal, tenantId) =>
      client.useResources(objectType, { tenantId }).aggregate(
        {
          groupBy: query === undefined ? [] : groupFields(query),
          metrics: metricsBody(metric, query?.step),
          limit: query === undefined ? 1 : groupLimit(query),
          ...(where === undefined ? {} : { where: JSON.parse(where) }),
        },
        { signal },
      ),
    { shown: true, enabled: query !== undefined },
  );
  const { value } = answer;
  const { field, step, splitBy } = query ?? {};
  const shown = useMemo(
    () =>
      value === undefined || field === undefined
        ? undefined
        : barsOf(value, { field, step, splitBy }, metric),
    [value, field, step, splitBy, metric],
  );
  // There is no request if no property groups the records, and the answer has no groups.
  const known = query === undefined ? { value: [], answeredAtMs: 0 } : { value: shown?.bars };
  const list = useAnsweredList([...parts, where].join(" "), { ...answer, ...known }, keyOf, height);
  return { list, shown: shown ?? noBars, truncated: value?.truncated === true };
}
