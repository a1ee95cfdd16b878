import type { Client } from "#client/index.ts";
import type { WorkspaceArchive } from "#contract/workspaces/archives.ts";
import { absolutePath } from "../kit/files/files.ts";
import type { SaveTarget } from "../kit/files/save-file.ts";
import type { Work } from "../kit/state/work.ts";
import { sizeWords } from "../kit/text/words.ts";
import { useHost } from "../shell/host.ts";
import { useNotices } from "../shell/notices.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useWorkspaces } from "../shell/platform/use-workspaces.ts";
import { useSavePath } from "../shell/overlays/use-save-path.ts";
import type { ArchiveFiles } from "../surface.ts";
import type { ArchiveSettings } from "./archive-form.ts";
import { saveArchive, type Transfer } from "./transfers.ts";

interface ArchiveWork extends Pick<Work, "title" | "stop"> {
  readonly run: (transfer: Transfer) => ReturnType<Work["run"]>;
}

/** The parts of all actions on archives: the open workspace, files, and work with a dialog. */
export interface ArchiveWorld {
  readonly client: Client;
  readonly tenantId: string;
  /** The workspace as files and commands name it. */
  readonly slug: string;
  readonly files: () => Promise<ArchiveFiles>;
  readonly pathOf: (typed: string) => string;
  readonly work: (work: ArchiveWork) => void;
}

/** Undefined until a workspace is open; `onEnd` follows each work. */
export function useArchiveWorld(onEnd: () => void): ArchiveWorld | undefined {
  const { client, tenantId, session } = usePlatform();
  const { value } = useWorkspaces();
  const { openArchives, currentDirectory, homeDirectory } = useHost();
  const overlays = useOverlays();
  if (client === undefined || tenantId === undefined || openArchives === undefined) {
    return undefined;
  }
  const slug = value?.find(({ id }) => id === tenantId)?.slug ?? session.workspace?.slug;
  return {
    client,
    tenantId,
    slug: slug ?? tenantId,
    files: openArchives,
    pathOf: (typed) => absolutePath(typed, currentDirectory, homeDirectory),
    work: ({ run, ...words }) =>
      overlays.work({
        ...words,
        counted: "bytes",
        wordsOf: sizeWords,
        run: async (report, signal) => {
          try {
            const files = await openArchives();
            return await run({ client, tenantId, files, report, signal });
          } finally {
            onEnd();
          }
        },
      }),
  };
}

/** Returns a function that saves the file of an archive, which may still be in the making. */
export function useArchiveSaving(world: ArchiveWorld | undefined) {
  const savePath = useSavePath();
  const { sayFailure } = useNotices();
  const start = (archive: WorkspaceArchive, settings: ArchiveSettings, target: SaveTarget) => {
    const { passphraseFile: typed } = settings;
    const passphraseFile = typed && world?.pathOf(typed);
    world?.work({
      title: `Save ${target.path}`,
      stop: "stops, and leaves no file; the platform keeps the archive",
      run: (transfer) => saveArchive(transfer, archive, { target, passphraseFile }),
    });
  };
  /** Checks the path first; `archiveOf` is asked once something can be written there. */
  return (settings: ArchiveSettings, archiveOf: () => Promise<WorkspaceArchive>): void =>
    savePath({
      title: "Save an archive of this workspace",
      words: "The file appears when it is complete.",
      filename: archiveFilename(world?.slug ?? ""),
      typed: settings.output,
      onTarget: (target) =>
        void archiveOf()
          .then((archive) => start(archive, settings, target))
          .catch(sayFailure),
    });
}

/** The name of an archive's file; a slug is no path. */
export function archiveFilename(slug: string): string {
  return `${slug.replaceAll(/[^\w.-]+/g, "-")}.svcarchive`;
}
