import { useMemo } from "react";
import type { Size } from "../kit/panes/layout.ts";
import { ScrollView } from "../kit/text/scroll-view.tsx";
import { Failed, Skeleton, Stale } from "../kit/panes/states.tsx";
import { useNow } from "../kit/state/use-now.ts";
import { useStorageDiagnosis, useStorageStatus } from "./use-storage.ts";
import { diagnosisFailureLines, diagnosisLines, statusLines } from "./storage-words.ts";
import type { StyledLine } from "../kit/text/styled-lines.ts";

const agesMs = 30_000;
const staleMs = 5_000;

/** Where the workspace's data are kept, what is wrong there, and what mends each. */
export function StorageView(props: Size & { readonly focused: boolean }) {
  const { width, height, focused } = props;
  const status = useStorageStatus();
  const diagnosis = useStorageDiagnosis();
  const nowMs = useNow((status.failure ?? diagnosis.failure) ? staleMs : agesMs);
  const inner = Math.max(1, width - 2);
  const lines = useMemo((): StyledLine[] => {
    if (status.value === undefined) return [];
    const found =
      diagnosis.value !== undefined
        ? diagnosisLines(diagnosis.value, nowMs, inner)
        : diagnosis.failure !== undefined
          ? diagnosisFailureLines(diagnosis.failure, inner)
          : [[{ text: "Looking for what is wrong there …", as: "quiet" } as const]];
    return [...statusLines(status.value, inner), [], ...found].map((line) => [
      { text: " " },
      ...line,
    ]);
  }, [status.value, diagnosis.value, diagnosis.failure, nowMs, inner]);
  if (status.value === undefined) {
    return status.failure === undefined ? (
      <Skeleton width={width} height={height} words="Asking where data are kept" />
    ) : (
      <Failed width={width} height={height} failure={status.failure} />
    );
  }
  const stale = status.failure ?? (diagnosis.value === undefined ? undefined : diagnosis.failure);
  return (
    <>
      {stale === undefined ? null : (
        <Stale failure={stale} answeredAtMs={status.answeredAtMs} nowMs={nowMs} width={width} />
      )}
      <ScrollView
        lines={lines}
        width={width}
        height={height - (stale === undefined ? 0 : 1)}
        focused={focused}
      />
    </>
  );
}
