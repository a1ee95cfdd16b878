import { type ReactElement, useMemo } from "react";
import { useAgeTime, useKeys } from "../kit/keys/use-keys.ts";
import type { Size } from "../kit/panes/layout.ts";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { useLayout, usePanes } from "../kit/panes/use-panes.ts";
import { tabbedPlace, type TabScreen } from "../kit/places/tabbed-place.tsx";
import { useCopyCommand } from "../shell/use-copy.ts";
import { useRouter } from "../shell/router.ts";
import { audit } from "./audit.ts";
import { HealthView } from "./health-view.tsx";
import { Stale, Unanswered } from "../kit/panes/states.tsx";
import { ScrollView } from "../kit/text/scroll-view.tsx";
import type { StyledLine } from "../kit/text/styled-lines.ts";
import { diagnosisFailureLines, diagnosisLines, statusLines } from "./storage-words.ts";
import { useStorageDiagnosis, useStorageStatus } from "./use-storage.ts";

const panes = ["operations"];

/** A tab that shows the state of the platform in one pane. */
function stateTab(
  title: string,
  command: readonly string[],
  View: (props: Size & { readonly focused: boolean }) => ReactElement,
): TabScreen {
  return function StateTab({ tab }) {
    const { width, height } = useLayout();
    const { back } = useRouter();
    const focused = usePanes(panes).focused === "operations";
    const copyCommand = useCopyCommand();
    useKeys("place", {
      nextTab: tab?.nextTab,
      previousTab: tab?.previousTab,
      goBack: tab?.toFirst ?? back,
      copyCommand: () => copyCommand.inWorkspace(command),
    });
    return (
      <Pane title={title} tabs={tab?.tabs} width={width} height={height} focused={focused}>
        <View width={width - paneBorder} height={height - paneBorder} focused={focused} />
      </Pane>
    );
  };
}

/** Health, storage and the audit log, as tabs. */
export const OperationsScreen = tabbedPlace("operations", {
  health: stateTab("Health", ["verify"], HealthView),
  storage: stateTab("Storage", ["resources", "storage", "doctor"], StorageView),
  audit,
});

function StorageView(props: Size & { readonly focused: boolean }) {
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
