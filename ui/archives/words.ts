import { archiveGroups, archiveHours } from "#contract/workspaces/archive-parts.ts";
import type {
  ArchiveImport,
  ArchiveManifest,
  WorkspaceArchive,
} from "#contract/workspaces/archives.ts";
import { readJob } from "#lib/job-outcome.ts";
import { counted } from "#lib/text/counted.ts";
import type { WorkOutcome } from "../kit/state/work.ts";
import { fieldLines, textLines, type StyledLine } from "../kit/text/styled-lines.ts";
import { statusWords } from "../kit/theme/theme.ts";
import { countWords, distanceWords, localTimeWords, sizeWords } from "../kit/text/words.ts";
import type { ComparedPart, OpenedArchive, ArchivedMember } from "../surface.ts";

/** An archive's name: the local time of its request. */
export function archiveName({ created_at: at, id }: WorkspaceArchive): string {
  const timeMs = Date.parse(at ?? "");
  return Number.isNaN(timeMs) ? id : localTimeWords(timeMs);
}

export function groupWords({ groups }: Pick<WorkspaceArchive, "groups">): string {
  const isAll = archiveGroups.every((group) => groups.includes(group));
  return isAll ? "all" : groups.join(", ");
}

export function isBeingMade(archive: WorkspaceArchive): boolean {
  return readJob(archive).outcome === "pending";
}

/** Size of the file, or the progress of its job. */
export function sizeOrProgress(archive: WorkspaceArchive): string {
  const { size, percentCompleted: percent = 0 } = archive;
  return isBeingMade(archive) ? `${Math.round(percent)} %` : sizeWords(size);
}

/** The parts with their lines, the names of the empty ones, and the number of files. */
function manifestLines({ parts, files, missing }: ArchiveManifest): string[] {
  const filled = parts.filter(({ count }) => count > 0);
  const empty = parts.filter(({ count }) => count === 0).map(({ name }) => name);
  return [
    ...filled.map(({ name, count }) => `${name}  ${countWords(count)}`),
    ...(empty.length === 0 ? [] : [`empty: ${empty.join(", ")}`]),
    `${counted(files.count, "file")}, ${sizeWords(files.bytes)}`,
    ...(missing.length === 0
      ? []
      : [`${counted(missing.length, "file")} missing: the store did not have their bytes`]),
  ];
}

export function archiveLines(
  archive: WorkspaceArchive,
  { width, nowMs }: { readonly width: number; readonly nowMs: number },
  manifest: ArchiveManifest | undefined,
): StyledLine[] {
  const { id, status, size, sha256, error, created_at: at, expiresAt } = archive;
  const when = (time: string) => `${distanceWords(time, nowMs)} · ${time}`;
  const words =
    "Only you see this archive, and each download checks your role again. It is removed after " +
    `${archiveHours} hours, and by an erasure or a purge in the workspace.`;
  return [
    ...fieldLines(
      [
        { name: "id", value: id },
        { name: "state", value: statusWords(status) },
        ...(isBeingMade(archive) ? [{ name: "done", value: sizeOrProgress(archive) }] : []),
        { name: "groups", value: groupWords(archive) },
        { name: "made by", value: "you" },
        ...(at === undefined ? [] : [{ name: "made at", value: when(at) }]),
        ...(expiresAt === undefined ? [] : [{ name: "kept until", value: when(expiresAt) }]),
        ...(size === undefined ? [] : [{ name: "size", value: sizeWords(size) }]),
        ...(sha256 === undefined ? [] : [{ name: "SHA-256", value: sha256 }]),
        ...(error?.message === undefined
          ? []
          : [{ name: "error", value: error.message, as: "bad" } as const]),
      ],
      width,
    ),
    [],
    ...textLines(words, width, "quiet"),
    [],
    ...(manifest === undefined ? [] : manifestLines(manifest)).flatMap((line) =>
      textLines(line, width),
    ),
  ];
}

/** The effects of an import, before it: its parts, and the members that it invites. */
export function importEffects(
  { manifest, isEncrypted }: OpenedArchive,
  members: readonly ArchivedMember[] | undefined,
): string[] {
  const { workspace, createdAt, parts } = manifest;
  const invited = (members ?? []).map(({ email, role }) => `invites ${email} as ${role}`);
  const listed = parts.some(({ name }) => name === "members")
    ? ["its members are listed, and not invited"]
    : [];
  return [
    `the archive of ${workspace.slug}, ${createdAt}${isEncrypted ? ", decrypted" : ""}: sound`,
    ...manifestLines(manifest),
    ...(members === undefined ? listed : invited),
    "a type of the same slug with another definition refuses the import; webhooks and rules of " +
      "alerts are made disabled",
    "ids are kept where they are free, else made again: the outcome lists both",
    "what the workspace has stays as it is, and the import has no undo",
  ];
}

/** The outcome of an import, part by part, with the ids that were made again. */
export function importOutcome(state: ArchiveImport, invited: readonly string[] = []): WorkOutcome {
  const { parts = [], refused = [], renamed = [], renamedCount = 0, members = [], error } = state;
  const { outcome } = readJob(state);
  const stored = parts.reduce((sum, part) => sum + part.stored, 0);
  const others = (count: number, words: string) =>
    count === 0 ? "" : `, ${countWords(count)} ${words}`;
  if (outcome === "pending") {
    const line = `the import ${state.id} goes on: the platform finishes it`;
    return { good: true, lines: [line, ...invited] };
  }
  const more = renamedCount - renamed.length;
  return {
    good: outcome === "succeeded",
    lines: [
      outcome === "failed" || outcome === "cancelled"
        ? `the import ${statusWords(state.status)}: nothing more is stored`
        : `${counted(stored, "line")} stored in ${counted(parts.length, "part")}`,
      ...(error?.message === undefined ? [] : [error.message]),
      ...parts.map(
        ({ name, stored: lines, leftOut, refused: count = 0 }) =>
          `${name}: ${countWords(lines)} stored` +
          `${others(leftOut, "left out")}${others(count, "refused")}`,
      ),
      ...refused.map(({ part, id, reason }) => `refused: ${part} ${id}: ${reason}`),
      ...(renamedCount === 0 ? [] : [`${counted(renamedCount, "record")} with a new id:`]),
      ...renamed.map(({ archived, stored: id }) => `  ${archived} → ${id}`),
      ...(more > 0 && renamed.length > 0 ? [`  and ${countWords(more)} more`] : []),
      ...(invited.length > 0
        ? invited
        : members.map(({ email, role }) => `member of the archive: ${email} (${role})`)),
    ],
  };
}

const signs = { equal: "=", different: "≠", missing: "∅", "not compared": "·" } as const;

/** The outcome of a comparison with another side, part by part. */
export function comparisonOutcome(parts: readonly ComparedPart[], other: string): WorkOutcome {
  const differs = parts.filter(({ outcome }) => outcome === "different" || outcome === "missing");
  const compared = parts.filter(({ outcome }) => outcome !== "not compared");
  const head =
    differs.length === 0
      ? `${counted(compared.length, "part")} compared with ${other}: all equal`
      : `${counted(compared.length, "part")} compared with ${other}: ${countWords(differs.length)} not equal`;
  const order = (part: ComparedPart) => (differs.includes(part) ? 0 : 1);
  return {
    good: differs.length === 0,
    lines: [
      head,
      ...parts
        .toSorted((a, b) => order(a) - order(b))
        .map(({ name, outcome, one, other: count }) => {
          const same = one === count ? countWords(one ?? 0) : undefined;
          const counts = same ?? `${countWords(one ?? 0)} here, ${countWords(count ?? 0)} there`;
          return `${signs[outcome]} ${name}: ${outcome} (${counts})`;
        }),
    ],
  };
}
