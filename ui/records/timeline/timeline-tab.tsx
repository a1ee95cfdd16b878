import { useMemo } from "react";
import type { HistoryItem } from "#client/index.ts";
import { failureHead } from "../../kit/answers/failure.ts";
import { useAgeTime } from "../../kit/keys/use-keys.ts";
import { ScrollView } from "../../kit/text/scroll-view.tsx";
import { indented, textLines } from "../../kit/text/styled-lines.ts";
import { memberNamesPart } from "../../shell/platform/member-names.ts";
import { useNames } from "../../shell/platform/names.ts";
import type { RecordTabProps } from "../detail/tab-props.ts";
import { useNewestVersions } from "./use-newest-versions.ts";
import { axisLines, momentLines, momentsOf } from "./record-timeline.ts";

const noVersions: readonly HistoryItem[] = [];

/** The dates of a record and its newest 100 versions in the order of time. */
export function TimelineTab({ type, record, area, focused }: RecordTabProps) {
  const { id } = record;
  const { value, failure } = useNewestVersions(type, record);
  const nowMs = useAgeTime(value);
  const versions = value?.items ?? noVersions;
  const nameOf = useNames(memberNamesPart, [...new Set(versions.map(({ actor }) => actor))]);
  const lines = useMemo(() => {
    const width = Math.max(1, area.width - 2);
    const moments = momentsOf(type, record, { versions, nowMs, nameOf });
    const axis = axisLines(moments, { width, nowMs });
    const more = value?.hasMore === true ? "Earlier versions are in the history." : "";
    return indented([
      ...axis,
      ...(axis.length > 0 ? [[]] : []),
      ...textLines(more, width, "quiet"),
      ...momentLines(moments, { width, nowMs }),
      ...(failure === undefined ? [] : textLines(`✗ ${failureHead(failure)}`, width, "bad")),
    ]);
  }, [type, record, versions, value, failure, nowMs, nameOf, area.width]);
  return <ScrollView of={`${id} timeline`} lines={lines} {...area} focused={focused} />;
}
