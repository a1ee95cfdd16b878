import type { ArchiveManifest, WorkspaceArchive } from "#contract/workspaces/archives.ts";
import { lineDetail, type Further } from "../kit/places/line-detail.tsx";
import { listPlace } from "../kit/places/list-place.tsx";
import { statusColumn } from "../kit/table/status-column.ts";
import { ageWords, distanceWords } from "../kit/text/words.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { archiveKeys, type ArchiveFacts, type ArchiveKeys } from "./keys.ts";
import { useArchiveHandlers } from "./use-archive-handlers.ts";
import { archiveLines, archiveName, groupWords, isBeingMade, sizeOrProgress } from "./words.ts";

const keyOf = ({ id }: WorkspaceArchive) => id;
/** Period of the refreshes while an archive is being made. */
const activeMs = 1_000;

function useArchiveState(row: WorkspaceArchive | undefined): { readonly facts: ArchiveFacts } {
  return { facts: { isComplete: row && row.size !== undefined } };
}

/** The manifest of an archive, which the list does not have. */
function useManifest(row: WorkspaceArchive | undefined): Further<ArchiveManifest> {
  const id = row?.id ?? "";
  const { value, failure } = useAnswer(
    ["archives.get", id, row?.status],
    async (client, signal, tenantId) =>
      (await client.archives.get({ tenantId, params: { archiveId: id }, signal })).manifest,
    { enabled: row?.size !== undefined },
  );
  return { value, failure };
}

/** The archives of the workspace that the user has asked for. */
export const ArchivesScreen = listPlace<WorkspaceArchive, ArchiveKeys>({
  name: "archives",
  title: "Archives",
  loading: "Loading the archives",
  listFacts: ["yours, kept for 24 hours"],
  list: {
    question: "archives.list",
    keyOf,
    ask: (client, { tenantId, signal, query }) => client.archives.list({ tenantId, signal, query }),
    refreshMs: (rows) => (rows.some(isBeingMade) ? activeMs : undefined),
  },
  columns: (nowMs) => [
    { id: "made", title: "made at", value: archiveName, priority: 0, pinned: true, minimum: 16 },
    statusColumn({ priority: 1, title: "state", minimum: 23, of: ({ status }) => status }),
    { id: "size", title: "size", value: sizeOrProgress, priority: 2, align: "right" },
    {
      id: "kept",
      title: "kept until",
      value: ({ expiresAt = "" }) => distanceWords(expiresAt, nowMs),
      priority: 4,
    },
    { id: "by", title: "by", value: () => "you", priority: 6 },
    {
      id: "age",
      title: "age",
      value: ({ created_at: at }) => ageWords(at, nowMs),
      priority: 5,
    },
    { id: "groups", title: "groups", value: groupWords, priority: 3, maximum: 60 },
  ],
  useHandlers: useArchiveHandlers,
  useRowKeys: useArchiveState,
  copied: keyOf,
  command: (row) => [
    ["workspace", "export"],
    row === undefined ? { output: "." } : { output: ".", archive: row.id },
  ],
  missing: { words: "This platform has no archives of workspaces." },
  empty: {
    words:
      "An archive is one file with everything of this workspace: it moves the workspace to another " +
      "platform, and proves that two workspaces are equal. You have asked for none.",
    offer: [archiveKeys.makeArchive, "makes one"],
  },
  Detail: lineDetail<WorkspaceArchive, ArchiveManifest>({
    kind: "archive",
    title: archiveName,
    keyOf,
    useFurther: useManifest,
    lines: (archive, { value, ...area }) => archiveLines(archive, area, value),
  }),
});
