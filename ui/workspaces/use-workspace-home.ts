import type { Client, Membership } from "#client/index.ts";
import { readJob } from "#lib/job-outcome.ts";
import { parseFilter } from "../kit/filter/filter-language.ts";
import { dataFields } from "../kit/data-fields/data-fields.ts";
import { dueFilters } from "../kit/data-fields/due-filters.ts";
import { keyName } from "../kit/keys/keys.ts";
import type { Span } from "../kit/text/styled-lines.ts";
import { countWords } from "../kit/text/words.ts";
import { headingRow, homeRow, type HomePart } from "../shell/home/home-rows.ts";
import { shellKeys } from "../shell/keys.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useOpenWorkspace, useWorkspaces } from "../shell/platform/use-workspaces.ts";
import { useRouter } from "../shell/router.ts";

/** Workspaces whose figures are read, one after the other. */
const readWorkspaces = 12;
const readJobs = 20;
const refreshMs = 60_000;

/** The figures of one workspace that call for attention. */
interface WorkspaceFigures {
  readonly id: string;
  readonly records: number;
  readonly overdue: number;
  readonly failedJobs: number;
}

async function figuresOf(
  client: Client,
  { id, timeZone = "UTC" }: Membership,
  signal: AbortSignal,
): Promise<WorkspaceFigures> {
  const { objectTypes } = await client.objectTypes.schema({ tenantId: id, signal });
  const overdue = await Promise.all(
    objectTypes.map(async (type) => {
      const due = dueFilters(type, timeZone, Date.now());
      const parsed = due === undefined ? undefined : parseFilter(due.overdue, dataFields(type));
      if (parsed === undefined || !("where" in parsed)) return 0;
      const records = client.useResources(type.slug, { tenantId: id });
      const { where } = parsed;
      return (await records.list({ where, limit: 1, count: true, signal })).total ?? 0;
    }),
  );
  const { items } = await client.useDocuments(id).jobs({ limit: readJobs, signal });
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    id,
    records: sum(objectTypes.map(({ recordCount }) => recordCount ?? 0)),
    overdue: sum(overdue),
    failedJobs: items.filter((job) => readJob(job).outcome === "failed").length,
  };
}

/** The figures of a workspace at the right end of its row. */
function figureSpans({ records, overdue, failedJobs }: WorkspaceFigures): Span[] {
  return [
    { text: ` ${countWords(records)} ` },
    ...(overdue === 0 ? [] : [{ text: `${countWords(overdue)} ▲ `, as: "bad" } as const]),
    ...(failedJobs === 0 ? [] : [{ text: `${failedJobs} ✗ `, as: "bad" } as const]),
  ];
}

/** The other workspaces that the user may enter, with what needs attention in them. */
export function useWorkspaceHome(): HomePart {
  const { go } = useRouter();
  const { tenantId } = usePlatform();
  const enter = useOpenWorkspace();
  const { value: all } = useWorkspaces();
  const others = (all ?? []).filter(({ id }) => id !== tenantId);
  const read = others.slice(0, readWorkspaces);
  const { value } = useAnswer<readonly WorkspaceFigures[]>(
    ["home.workspaces", read.map(({ id }) => id).join(" ")],
    async (client, signal) => {
      const figures: WorkspaceFigures[] = [];
      for (const each of read) {
        // One that refuses its figures does not hide those of the others.
        const known = await figuresOf(client, each, signal).catch(() => undefined);
        signal.throwIfAborted();
        if (known !== undefined) figures.push(known);
      }
      return figures;
    },
    { refreshMs, enabled: read.length > 0 },
  );
  const step = homeRow({
    id: "step workspaces",
    left: [{ text: `   ${keyName(shellKeys.goWorkspaces)} chooses or makes a workspace` }],
    open: () => go({ place: "workspaces" }),
    command: [["workspace", "list"]],
  });
  if (others.length === 0) return { rows: [], isFilled: false, step };
  const rows = read.map((membership) => {
    const figures = value?.find(({ id }) => id === membership.id);
    return homeRow({
      id: `workspace ${membership.id}`,
      left: [{ text: `   ${membership.slug}` }],
      right: figures === undefined ? [] : figureSpans(figures),
      open: () => enter(membership),
      command: [["workspace", "select", membership.slug]],
    });
  });
  const heading = headingRow("Other workspaces", {
    id: "workspaces",
    right: [
      { text: ` ${countWords(others.length)} ` },
      { text: `${keyName(shellKeys.goWorkspaces)} `, as: "key" },
    ],
    open: () => go({ place: "workspaces" }),
    command: [["workspace", "list"]],
  });
  return { rows: [heading, ...rows], isFilled: false, step };
}
