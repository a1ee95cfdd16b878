import type { Area as Size } from "../components/master-detail.tsx";
import { Area, Line, StatusBadge } from "../components/paint.tsx";
import { SmallTable } from "../components/small-table.tsx";
import { Failed, Skeleton, Stale } from "../components/states.tsx";
import { useHealth } from "../hooks/use-health.ts";
import { useNow } from "../hooks/use-now.ts";
import { usePlatform } from "../hooks/use-platform.tsx";
import { statusLook } from "../theme.ts";

/** The platform's health, and whom this dashboard speaks to and for. */
export function HealthView(inner: Size) {
  const { session } = usePlatform();
  const health = useHealth();
  const nowMs = useNow(health.failure === undefined ? undefined : 10_000);
  const cellWidth = Math.max(12, Math.floor((inner.width - 16) / 3));
  const { value, failure } = health;
  const { workspace } = session;
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
    { fact: "workspace", value: [workspace?.slug, workspace?.id].filter(Boolean).join("  ") },
  ];
  return (
    <>
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
    </>
  );
}
