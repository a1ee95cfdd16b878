import type { Size } from "../kit/panes/layout.ts";
import { Stale, Unanswered } from "../kit/panes/states.tsx";
import { SmallTable, smallTableRows } from "../kit/table/small-table.tsx";
import { ScrollView } from "../kit/text/scroll-view.tsx";
import { fieldLines, type Field, type StyledLine } from "../kit/text/styled-lines.ts";
import { Area, Line, StatusBadge } from "../kit/theme/paint.tsx";
import { statusLook } from "../kit/theme/theme.ts";
import { useHealth } from "../shell/platform/use-health.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";

const headRows = 1;

export function HealthView(props: Size & { readonly focused: boolean }) {
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
  const lines = [...fieldLines(partLines, width), [], ...fieldLines(facts, width)].map(
    (line): StyledLine => [{ text: " " }, ...line],
  );
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
