import { useAgeTime } from "../kit/keys/use-keys.ts";
import { useMemo } from "react";
import type { Size } from "../kit/panes/layout.ts";
import { Stale, Unanswered } from "../kit/panes/states.tsx";
import { ScrollView } from "../kit/text/scroll-view.tsx";
import type { StyledLine } from "../kit/text/styled-lines.ts";
import { diagnosisFailureLines, diagnosisLines, statusLines } from "./storage-words.ts";
import { useStorageDiagnosis, useStorageStatus } from "./use-storage.ts";

export function StorageView(props: Size & { readonly focused: boolean }) {
  const { width, height, focused } = props;
  const status = useStorageStatus();
  const { value: diagnosis, failure: diagnosisFailure } = useStorageDiagnosis();
  const nowMs = useAgeTime(diagnosis);
  const inner = Math.max(1, width - 2);
  const lines = useMemo((): StyledLine[] => {
    if (status.value === undefined) return [];
    const findings =
      diagnosis !== undefined
        ? diagnosisLines(diagnosis, nowMs, inner)
        : diagnosisFailure !== undefined
          ? diagnosisFailureLines(diagnosisFailure, inner)
          : [[{ text: "Checking the storage …", as: "quiet" } as const]];
    const all = [...statusLines(status.value, inner), [], ...findings];
    return all.map((line) => [{ text: " " }, ...line]);
  }, [status.value, diagnosis, diagnosisFailure, nowMs, inner]);
  const { failure, answeredAtMs } = status;
  if (status.value === undefined) {
    const loading = "Loading the storage status";
    return <Unanswered width={width} height={height} failure={failure} loading={loading} />;
  }
  const stale = failure ?? (diagnosis === undefined ? undefined : diagnosisFailure);
  return (
    <>
      <Stale failure={stale} answeredAtMs={answeredAtMs} width={width} />
      <ScrollView
        lines={lines}
        width={width}
        height={height - (stale === undefined ? 0 : 1)}
        focused={focused}
      />
    </>
  );
}
