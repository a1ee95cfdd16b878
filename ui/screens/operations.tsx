import { commandLine } from "../command-line.ts";
import { Pane, paneBorder } from "../components/pane.tsx";
import { Area, Line, StatusBadge } from "../components/paint.tsx";
import { SmallTable } from "../components/small-table.tsx";
import { Failed, Skeleton, Stale } from "../components/states.tsx";
import { useCopy } from "../hooks/use-copy.ts";
import { useHealth } from "../hooks/use-health.ts";
import { useKeys } from "../hooks/use-keys.tsx";
import { useLayout } from "../hooks/use-layout.tsx";
import { useNow } from "../hooks/use-now.ts";
import { usePanes } from "../hooks/use-panes.tsx";
import { usePlatform } from "../hooks/use-platform.tsx";
import { useRouter } from "../hooks/use-router.tsx";
import { statusLook } from "../theme.ts";

const panes = ["health"];

/** The platform's health, and whom this dashboard speaks to and for. */
export function OperationsScreen() {
  const layout = useLayout();
  const { back } = useRouter();
  const { session } = usePlatform();
  const { focused } = usePanes(panes);
  const copy = useCopy();
  const health = useHealth();
  const nowMs = useNow(health.failure === undefined ? undefined : 10_000);
  useKeys("place", { goBack: back, copyCommand: () => copy(commandLine(["verify"])) });
  const inner = { width: layout.width - paneBorder, height: layout.height - paneBorder };
  const cellWidth = Math.max(12, Math.floor((inner.width - 16) / 3));
  const { value, failure } = health;
  const parts = Object.entries(value?.components ?? {}).map(([part, { status, detail }]) => ({
    part,
    status: `${statusLook(status).glyph} ${status}`,
    detail: detail ?? "",
  }));
  const facts = [
    { fact: "platform", value: session.baseUrl },
    { fact: "runs", value: session.local ? "on this machine" : "elsewhere" },
    { fact: "version", value: value?.version ?? "" },
    { fact: "signed in as", value: session.user ?? "" },
    { fact: "profile", value: session.profile },
    { fact: "workspace", value: session.workspace?.id ?? "" },
  ];
  return (
    <Pane
      title="Operations"
      width={layout.width}
      height={layout.height}
      focused={focused === "health"}
    >
      {value === undefined && failure !== undefined ? (
        <Failed {...inner} failure={failure} />
      ) : value === undefined ? (
        <Skeleton {...inner} words="Asking how the platform does" />
      ) : (
        <Area {...inner}>
          {failure === undefined ? (
            <Line>
              {" "}
              <StatusBadge status={value.status} words={`the platform is ${value.status}`} />
            </Line>
          ) : (
            <Stale
              failure={failure}
              answeredAtMs={health.answeredAtMs}
              nowMs={nowMs}
              width={inner.width}
            />
          )}
          {parts.length === 0 ? null : (
            <SmallTable rows={parts} columns={["part", "status", "detail"]} cellWidth={cellWidth} />
          )}
          <SmallTable rows={facts} columns={["fact", "value"]} cellWidth={cellWidth * 2} />
        </Area>
      )}
    </Pane>
  );
}
