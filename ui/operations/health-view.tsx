import { Box } from "ink";
import type { ObjectType } from "#client/index.ts";
import type { Size } from "../kit/panes/layout.ts";
import { Stale, Unanswered } from "../kit/panes/states.tsx";
import { spokenPart } from "../kit/spoken/spoken.ts";
import { usePart } from "../kit/state/part.ts";
import { useStore } from "../kit/state/store.ts";
import { SmallTable, smallTableRows } from "../kit/table/small-table.tsx";
import { ScrollView } from "../kit/text/scroll-view.tsx";
import { fieldLines, indented, type Field, type StyledLine } from "../kit/text/styled-lines.ts";
import { TextLines } from "../kit/text/text-lines.tsx";
import { Area, Line, StatusBadge } from "../kit/theme/paint.tsx";
import { statusLook } from "../kit/theme/theme.ts";
import { useNotices } from "../shell/notices.ts";
import { useHealth } from "../shell/platform/use-health.ts";
import { noticeLines } from "../shell/overlays/notices-overlay.tsx";
import { useShownTypes } from "../shell/platform/shown-types.ts";
import { useObjectTypes } from "../shell/platform/use-object-types.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import {
  entryLines,
  entryRows,
  figureLines,
  summaryLines,
  useLastEntries,
} from "./health-columns.ts";
import { statusLines } from "./storage-words.ts";
import { usePulseFields } from "./use-pulse.ts";
import { useStorageStatus } from "./use-storage.ts";

const headRows = 1;
/** The least width at which the state has two columns, and the last entries of the audit log. */
const twoColumns = 120;
/** The least width at which the storage and the notices have a column too. */
const threeColumns = 160;
/** The least width at which one column has the last entries, and their rows there. */
const entriesFrom = 80;
const fewRows = 24;
/** Rows of the records by type. */
const mostTypes = 16;
/** The shares of the columns before the last one; the last changes have the longest lines. */
const columnShares = { 1: [1], 2: [0.5], 3: [0.3, 0.3] } as const;

interface ViewProps extends Size {
  readonly focused: boolean;
}

interface Part {
  readonly part: string;
  readonly status: string;
  readonly detail: string;
  readonly token: Field["as"];
}

/** The parts of the platform with their states, and the facts about the connection. */
function useFacts(): { readonly parts: readonly Part[]; readonly facts: readonly Field[] } {
  const { session } = usePlatform();
  const { value } = useHealth();
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
  return { parts, facts };
}

const blank: StyledLine = [];

/** The badge, the table of parts if there is room for it, and lines that can be scrolled. */
function StateColumn(props: ViewProps & { readonly below: readonly StyledLine[] }) {
  const { focused, below, ...inner } = props;
  const { value, failure, answeredAtMs } = useHealth();
  const { parts, facts } = useFacts();
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
  const height = inner.height - headRows - (isTable ? tableRows : 0);
  const lines = indented([
    ...fieldLines(partLines, width),
    blank,
    ...fieldLines(facts, width),
    blank,
    ...below,
  ]);
  const rows = parts.map(({ part, status, detail }) => ({ part, status, detail }));
  return (
    <Area {...inner}>
      {failure !== undefined || value === undefined ? (
        <Stale failure={failure} answeredAtMs={answeredAtMs} width={inner.width} />
      ) : (
        <Line>
          {" "}
          <StatusBadge status={value.status} words={`the platform is ${value.status}`} />
        </Line>
      )}
      {isTable ? (
        <SmallTable rows={rows} columns={["part", "status", "detail"]} width={inner.width} />
      ) : null}
      <ScrollView lines={lines} width={inner.width} height={height} focused={focused} />
    </Area>
  );
}

const noTypes: readonly ObjectType[] = [];

/** The numbers of records by type, for a column that has room for them. */
function useTypeLines(width: number): readonly StyledLine[] {
  const types = useShownTypes(useObjectTypes().value ?? noTypes);
  const figures = new Map(types.map(({ slug, recordCount = 0 }) => [slug, recordCount]));
  return figureLines("Records by type", figures, { width, rows: mostTypes });
}

/** The use; and the storage with the log of failures, commands and messages. */
function useBelow(width: number): {
  readonly use: readonly StyledLine[];
  readonly storage: readonly StyledLine[];
} {
  const pulse = usePulseFields();
  const storage = useStorageStatus();
  const log = useStore(useNotices().log);
  const none: StyledLine = [{ text: "Nothing has happened yet.", as: "quiet" }];
  const noticed = log.flatMap((each) => noticeLines(each, width));
  return {
    use: [[{ text: "Use", as: "heading" }], ...fieldLines(pulse, width)],
    storage: [
      ...(storage.value === undefined ? [] : [...statusLines(storage.value, width), blank]),
      [{ text: "Notices and commands", as: "heading" }],
      ...(noticed.length === 0 ? [none] : noticed),
    ],
  };
}

/** The refused and failed requests, then the last changes, in the rows that both need. */
function lastLines(
  { entries, nowMs }: ReturnType<typeof useLastEntries>,
  width: number,
  height: number,
): readonly StyledLine[] {
  // The rows that the last changes leave are those of the refused requests too.
  const left = height - 1 - entryRows(entries?.done ?? []);
  const refused = entryLines("Refused and failed", entries?.refused ?? [], {
    width,
    nowMs,
    rows: Math.max(Math.floor(height / 3), left),
    none: "Nothing was refused, and nothing has failed.",
  });
  const done = entryLines("Last changes", entries?.done ?? [], {
    width,
    nowMs,
    rows: height - refused.length - 1,
    none: "Nothing was changed yet.",
  });
  return [...refused, blank, ...done];
}

/**
 * The state and the use, the storage with the notices, and the last entries of the audit log: each
 * in its own column, as far as there is room.
 */
function WideHealth({ width, height, focused }: ViewProps) {
  const last = useLastEntries(true);
  const hasEntries = last.entries !== undefined;
  const columns = width >= threeColumns ? 3 : hasEntries ? 2 : 1;
  const shares = columnShares[columns].map((share) => Math.floor(share * width));
  const [left = width, share = left] = shares;
  const middle = columns === 3 && !hasEntries ? width - left - 1 : share;
  const { use, storage } = useBelow(Math.max(1, middle - 2));
  const right = width - left - 1 - (columns === 3 ? middle + 1 : 0);
  const typeLines = useTypeLines(Math.max(1, left - 2));
  const room = height - storage.length - 1;
  const summary =
    last.entries === undefined || columns < 3
      ? []
      : summaryLines(last.entries, { width: Math.max(1, middle - 2), rows: room });
  const below = columns === 3 ? [...use, blank, ...typeLines] : [...use, blank, ...storage];
  return (
    <Box flexShrink={0} width={width} height={height} columnGap={1}>
      <StateColumn width={left} height={height} focused={focused} below={below} />
      {columns === 3 ? (
        <TextLines
          lines={indented([...storage, blank, ...summary])}
          top={0}
          width={middle}
          height={height}
        />
      ) : null}
      {hasEntries ? (
        <TextLines
          lines={indented(lastLines(last, Math.max(1, right - 2), height))}
          {...{ top: 0, width: right, height }}
        />
      ) : null}
    </Box>
  );
}

/** One column, in which the storage, the notices and the last entries are below the state. */
function NarrowHealth(props: ViewProps) {
  const isSpoken = usePart(spokenPart).isSpoken;
  const width = Math.max(1, props.width - 2);
  const { use, storage } = useBelow(width);
  const last = useLastEntries(!isSpoken && props.width >= entriesFrom);
  const entries = last.entries === undefined ? [] : [blank, ...lastLines(last, width, fewRows)];
  const below = isSpoken ? use : [...use, blank, ...storage, ...entries];
  return <StateColumn {...props} below={below} />;
}

/** The health of the platform and the connection to it. */
export function HealthView(props: ViewProps) {
  const { value, failure } = useHealth();
  const isSpoken = usePart(spokenPart).isSpoken;
  if (value === undefined) {
    const { width, height } = props;
    const loading = "Loading the platform's health";
    return <Unanswered width={width} height={height} failure={failure} loading={loading} />;
  }
  return props.width < twoColumns || isSpoken ? (
    <NarrowHealth {...props} />
  ) : (
    <WideHealth {...props} />
  );
}
