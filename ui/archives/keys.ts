import { key, keyGroup } from "../kit/keys/keys.ts";
import { because, firstOf, needs, row, type KeyFacts } from "../kit/keys/reasons.ts";
import type { ShellKeys } from "../shell/keys.ts";

export interface ArchiveFacts extends KeyFacts {
  /** Whether the selected archive has its file. */
  readonly isComplete?: boolean | undefined;
}

const adminMay = (capability: string) => needs(capability, "tenant-admin");
/** A download changes nothing, so that a read-only profile has it too. */
const mayDownload = because(
  (facts: ArchiveFacts) => adminMay("archives.content").of({ ...facts, readOnly: undefined }),
  ["archives.content"],
);
const complete = because(({ isComplete }: ArchiveFacts) =>
  isComplete === false ? "this archive has no file: its job has not succeeded" : undefined,
);

export const archiveKeys = keyGroup({
  makeArchive: key("c", "place", "make an archive", {
    footer: 30,
    disabledReason: adminMay("archives.create"),
  }),
  saveArchive: key("s", "place", "save to a file", {
    footer: 31,
    disabledReason: firstOf(row, complete, mayDownload),
  }),
  importArchive: key("I", "place", "import a file", {
    footer: 32,
    disabledReason: adminMay("archives.import"),
  }),
  compareArchive: key("m", "place", "compare", {
    footer: 33,
    disabledReason: adminMay("archives.create"),
  }),
  deleteArchive: key("ctrl+d", "place", "delete", {
    footer: 70,
    disabledReason: firstOf(row, adminMay("archives.remove")),
  }),
});

export type ArchiveKeys = typeof archiveKeys & ShellKeys;
