import { Box } from "ink";
import type { DocumentJob, Membership } from "#client/index.ts";
import { readJob } from "#lib/job-outcome.ts";
import { dueDistance } from "../kit/data-fields/meaning.ts";
import { recordName } from "../kit/data-fields/record-columns.ts";
import { useAgeTime } from "../kit/keys/use-keys.ts";
import type { Size } from "../kit/panes/layout.ts";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { Empty, Unanswered } from "../kit/panes/states.tsx";
import { indented, type StyledLine } from "../kit/text/styled-lines.ts";
import { TextLines } from "../kit/text/text-lines.tsx";
import { ageWords, countWords } from "../kit/text/words.ts";
import { statusLook } from "../kit/theme/theme.ts";
import { homeRow } from "../shell/home/home-rows.ts";
import { memberNamesPart } from "../shell/platform/member-names.ts";
import { useNames, type NameOf } from "../shell/platform/names.ts";
import { useWorkspaceState, type WorkspaceState } from "./use-workspace-state.ts";

/** The least width of a column, which a name and a figure fit into. */
const leastColumn = 44;
const mostColumns = 3;

interface Part {
  readonly title: string;
  readonly lines: readonly StyledLine[];
}

/** A row of the parts; its figure is at the right end. */
function row(parts: Omit<Parameters<typeof homeRow>[0], "id">, width: number): StyledLine {
  return homeRow({ id: "", ...parts }).draw(width);
}

function typesPart({ types }: WorkspaceState, width: number): Part {
  const most = Math.max(1, ...types.map(({ recordCount = 0 }) => recordCount));
  const lines = types
    .toSorted((a, b) => (b.recordCount ?? 0) - (a.recordCount ?? 0))
    .map(({ slug, displayName, recordCount = 0 }) =>
      row(
        {
          left: [{ text: displayName ?? slug }],
          bar: { share: recordCount / most },
          right: [{ text: ` ${countWords(recordCount)}` }],
        },
        width,
      ),
    );
  return { title: "Records", lines };
}

function duePart({ due }: WorkspaceState, width: number, nowMs: number): Part {
  const lines = due.map(({ type, record, date }) => {
    const { text, token } = dueDistance(date, nowMs, false);
    const left = [
      { text: `${recordName(record, type)}  ` },
      { text: type.slug, as: "quiet" },
    ] as const;
    return row({ left, right: [{ text: ` ${text}`, as: token }] }, width);
  });
  return { title: "Due next", lines };
}

function jobsPart({ jobs }: WorkspaceState, width: number, nowMs: number): Part {
  const rank = (job: DocumentJob) => {
    const { outcome, isActive } = readJob(job);
    return isActive ? 0 : outcome === "failed" ? 1 : 2;
  };
  const lines = jobs
    .toSorted((a, b) => rank(a) - rank(b))
    .map((job) => {
      const { outcome, isActive, state } = readJob(job);
      const { glyph, token } = statusLook((isActive ? state : outcome) ?? "");
      const name = job.documents?.[0]?.filename ?? job.documentId ?? job.jobId;
      const age = ageWords(job.updatedAt ?? job.createdAt, nowMs);
      const left = [{ text: `${glyph} `, as: token }, { text: name }];
      return row({ left, right: [{ text: ` ${age}`, as: "quiet" }] }, width);
    });
  return { title: "Jobs", lines };
}

function writesPart(
  { writes }: WorkspaceState,
  width: number,
  { nowMs, nameOf }: { readonly nowMs: number; readonly nameOf: NameOf },
): Part {
  const lines = writes.map(({ type, record }) => {
    const who = nameOf(record.updated_by ?? "")?.replace(/@.*/, "") ?? "";
    const { version, updated_at: at } = record;
    const words = version === 1 ? "created" : `version ${version}`;
    const left: StyledLine = [
      { text: `${ageWords(at, nowMs).padEnd(4)} `, as: "quiet" },
      ...(who === "" ? [] : [{ text: `${who}  `, as: "you" } as const]),
      { text: recordName(record, type) },
    ];
    return row({ left, right: [{ text: ` ${words}`, as: "quiet" }] }, width);
  });
  return { title: "Last writes", lines };
}

/** The parts in columns; those of one column take turns with their lines until it is full. */
export function columnsOf(parts: readonly Part[], columns: number, height: number): StyledLine[][] {
  const filled = parts.filter(({ lines }) => lines.length > 0);
  return Array.from({ length: columns }, (_, column) => {
    const own = filled.filter((_part, index) => index % columns === column);
    const counts = own.map(() => 0);
    let room = height - own.length * 2 + 1;
    for (let before = -1; room > 0 && room !== before;) {
      before = room;
      for (const [index, { lines }] of own.entries()) {
        const taken = counts[index] ?? 0;
        if (room <= 0 || taken >= lines.length) continue;
        counts[index] = taken + 1;
        room -= 1;
      }
    }
    return own.flatMap(({ title, lines }, index): StyledLine[] => [
      ...(index === 0 ? [] : [[]]),
      [{ text: title, as: "heading" }],
      ...lines.slice(0, counts[index]),
    ]);
  });
}

function StateView(props: Size & { readonly state: WorkspaceState }) {
  const { state, width, height } = props;
  const nowMs = useAgeTime(state);
  const nameOf = useNames(
    memberNamesPart,
    state.writes.map(({ record }) => record.updated_by),
  );
  const kinds = [state.types, state.due, state.writes, state.jobs].filter((all) => all.length > 0);
  const columns = Math.max(1, Math.min(mostColumns, kinds.length, Math.floor(width / leastColumn)));
  const columnWidth = Math.floor(width / columns);
  const inner = columnWidth - 3;
  const parts = [
    typesPart(state, inner),
    duePart(state, inner, nowMs),
    writesPart(state, inner, { nowMs, nameOf }),
    jobsPart(state, inner, nowMs),
  ];
  if (parts.every(({ lines }) => lines.length === 0)) {
    return <Empty width={width} height={height} words="This workspace is empty." />;
  }
  return (
    <Box flexShrink={0} width={width} height={height} overflow="hidden">
      {columnsOf(parts, columns, height).map((lines, index) => (
        <TextLines
          key={index}
          lines={indented(lines)}
          top={0}
          width={columnWidth}
          height={height}
        />
      ))}
    </Box>
  );
}

/** The records, due dates, jobs and writes of one workspace, as many as there is room for. */
export function WorkspaceDetail(props: {
  readonly workspace: Membership | undefined;
  readonly title: string;
  readonly area: Size;
  readonly focused: boolean;
}) {
  const { workspace, title, area, focused } = props;
  const { value, failure } = useWorkspaceState(workspace);
  const inner = { width: area.width - paneBorder, height: area.height - paneBorder };
  return (
    <Pane title={title} width={area.width} height={area.height} focused={focused}>
      {workspace === undefined ? (
        <Empty {...inner} words="Nothing is selected." />
      ) : value === undefined ? (
        <Unanswered {...inner} failure={failure} loading={`Loading ${title}`} />
      ) : (
        <StateView {...inner} state={value} />
      )}
    </Pane>
  );
}
