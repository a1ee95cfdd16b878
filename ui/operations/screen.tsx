import { type ReactElement, useMemo } from "react";
import { useKeys, useAgeTime } from "../kit/keys/use-keys.ts";
import type { Size } from "../kit/panes/layout.ts";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { useLayout, usePanes } from "../kit/panes/use-panes.ts";
import { tabbedPlace, type TabScreen } from "../kit/places/tabbed-place.tsx";
import { useCopyCommand } from "../shell/use-copy.ts";
import { useRouter } from "../shell/router.ts";
import { audit } from "./audit.ts";
import { Stale, Unanswered } from "../kit/panes/states.tsx";
import { ScrollView } from "../kit/text/scroll-view.tsx";
import { type StyledLine, fieldLines, type Field } from "../kit/text/styled-lines.ts";
import { diagnosisFailureLines, diagnosisLines, statusLines } from "./storage-words.ts";
import { useStorageDiagnosis, useStorageStatus } from "./use-storage.ts";
import { SmallTable, smallTableRows } from "../kit/table/small-table.tsx";
import { Area, Line, StatusBadge } from "../kit/theme/paint.tsx";
import { statusLook } from "../kit/theme/theme.ts";
import { usePulseFields } from "./use-pulse.ts";
import { useHealth } from "../shell/platform/use-health.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";

const headRows = 1;

function HealthView(props: Size & { readonly focused: boolean }) {
  const { focused, ...inner } = props;
  const { session } = usePlatform();
  const { value, failure, answeredAtMs } = useHealth();
  const { workspace } = session;
  const parts = Object.entries(value?.components ?? {}).map(([part, { status, detail }]) => {
    const { glyph, token } = statusLook(status);
    return { part, status: `${glyph} ${status}`, detail: detail ?? "", token };
  });
  const facts: Field[] = [
    { name: "platform", value: session.baseUrl },
    { name: "runs", value: session.local ? "on this machine" : "elsewhere" },
    { name: "version", value: value?.version ?? "" },
    { name: "signed in as", value: session.user ?? "" },
    { name: "profile", value: session.profile },
    { name: "workspace", value: [workspace?.slug, workspace?.id].filter(Boolean).join("  ") },
  ];
  const pulse = usePulseFields();
  // On a low screen the table's rules would leave no room for the facts.
  const tableRows = parts.length === 0 ? 0 : smallTableRows(parts.length);
  const isTable = tableRows > 0 && headRows + tableRows + 1 + facts.length <= inner.height;
  const partLines = isTable
    ? []
    : parts.map(({ part, status, detail, token }): Field => ({
        name: part,
        value: `${status}  ${detail}`,
        as: token,
      }));
  const width = Math.max(1, inner.width - 2);
  const lines = [
    ...fieldLines(partLines, width),
    [],
    ...fieldLines(facts, width),
    [],
    ...fieldLines(pulse, width),
  ].map((line): StyledLine => [{ text: " " }, ...line]);
  if (value === undefined) {
    return <Unanswered {...inner} failure={failure} loading="Loading the platform's health" />;
  }
  const above = headRows + (isTable ? tableRows : 0);
  return (
    <Area {...inner}>
      {failure === undefined ? (
        <Line>
          {" "}
          <StatusBadge status={value.status} words={`the platform is ${value.status}`} />
        </Line>
      ) : (
        <Stale failure={failure} answeredAtMs={answeredAtMs} width={inner.width} />
      )}
      {isTable ? (
        <SmallTable rows={parts} columns={["part", "status", "detail"]} width={inner.width} />
      ) : null}
      <ScrollView
        lines={lines}
        width={inner.width}
        height={inner.height - above}
        focused={focused}
      />
    </Area>
  );
}

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
