import { basename } from "node:path";
import type { JsonObject } from "#client/index.ts";
import { textIn } from "#client/enrollments.ts";
import type { WorkspaceArchive } from "#contract/workspaces/archives.ts";
import { given } from "#lib/given.ts";
import { failureOf, failureTexts, isAbort } from "../kit/answers/failure.ts";
import { initialData } from "../kit/forms/form-model.ts";
import { useAct } from "../kit/places/action.ts";
import type { PlaceNow, PlaceTable } from "../kit/places/list-place.tsx";
import { useForms } from "../shell/forms/forms.ts";
import { useNotices } from "../shell/notices.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { useWorkspaces } from "../shell/platform/use-workspaces.ts";
import { useCommandLines } from "../shell/use-copy.ts";
import { archiveRemoval } from "./actions.ts";
import {
  archiveSettings,
  compareFields,
  exportOptions,
  groupFaults,
  importFields,
  importOptions,
  makeFields,
  saveFields,
  type ArchiveSettings,
} from "./archive-form.ts";
import { compareWith, importArchive, makeArchive } from "./transfers.ts";
import { archiveFilename, useArchiveSaving, useArchiveWorld } from "./use-archive-files.ts";
import type { ArchiveWorld } from "./use-archive-files.ts";
import { archiveName, importEffects } from "./words.ts";

type ArchivesNow = PlaceNow<WorkspaceArchive, PlaceTable<WorkspaceArchive>>;
type World = ArchiveWorld | undefined;

const words = ["workspace", "export"];

/** Returns functions that make an archive, and that save one. */
function useMaking(world: World, { list }: PlaceTable<WorkspaceArchive>) {
  const forms = useForms();
  const overlays = useOverlays();
  const { say, sayFailure } = useNotices();
  const commands = useCommandLines();
  const save = useArchiveSaving(world);
  const output = `./${archiveFilename(world?.slug ?? "")}`;

  const order = (settings: ArchiveSettings, idempotencyKey: string): void => {
    if (world === undefined) return;
    const ask = async () => {
      const archive = await makeArchive(world, settings.groups, idempotencyKey);
      list.reveal(archive.id);
      return archive;
    };
    if (settings.output !== undefined) return save(settings, ask);
    ask().then(() => say("done", "the archive is being made"), sayFailure);
  };

  const question = (settings: ArchiveSettings, idempotencyKey: string): void =>
    overlays.confirm({
      title: `Make an archive of ${world?.slug ?? ""}`,
      effects: [
        `groups: ${settings.groups?.join(", ") ?? "all"}; no password, key, token or secret`,
        settings.output === undefined
          ? "no file is written; the platform keeps it for a download"
          : `written to ${settings.output}${settings.passphraseFile ? ", encrypted" : ""}`,
        "the platform makes it as a job while writes continue, and removes it after 24 hours",
      ],
      command: commands.inWorkspace(words, exportOptions(settings)),
      onConfirm: () => order(settings, idempotencyKey),
    });

  return {
    make: (): void =>
      forms.open({
        title: `Make an archive of ${world?.slug ?? ""}`,
        subject: { fields: makeFields, data: { output }, check: groupFaults },
        savesUnchanged: true,
        save: async (data, { idempotencyKey }) => {
          question(archiveSettings(data), idempotencyKey);
          return await Promise.resolve(undefined);
        },
        command: (data) => commands.inWorkspace(words, exportOptions(archiveSettings(data))),
      }),
    save: (archive: WorkspaceArchive): void => {
      forms.open({
        title: `Save the archive of ${archiveName(archive)}`,
        subject: { fields: saveFields(true), data: { output }, check: () => [] },
        savesUnchanged: true,
        save: async (data) => {
          save(archiveSettings(data), () => Promise.resolve(archive));
          return await Promise.resolve(undefined);
        },
        command: (data) =>
          commands.inWorkspace(words, exportOptions(archiveSettings(data), archive.id)),
      });
    },
  };
}

/** Returns a function that asks for a file, shows what is in it, and imports it. */
function useImporting(world: World) {
  const forms = useForms();
  const overlays = useOverlays();
  const commands = useCommandLines();

  const commandOf = (path: string, data: JsonObject) =>
    commands.inWorkspace(["workspace", "import", path], importOptions(data));

  const ask = async (path: string, data: JsonObject, signal: AbortSignal) => {
    if (world === undefined) return () => {};
    const title = `Import ${basename(path)} into ${world.slug}`;
    const passphrase = textIn(data, "passphrase");
    const files = await world.files();
    const archive = await files.open(path, passphrase && world.pathOf(passphrase), signal);
    const members = data["invite"] === true ? await archive.members() : undefined;
    return () =>
      overlays.confirm({
        title,
        effects: importEffects(archive, members),
        command: commandOf(path, data),
        onConfirm: () =>
          world.work({
            title,
            stop: "stops sending; an import that has begun goes on",
            run: (transfer) => importArchive(transfer, archive, members ?? []),
          }),
      });
  };

  const preview = (path: string, data: JsonObject): void => {
    const title = `Import ${basename(path)}`;
    overlays.wait({
      title,
      words: "reading all of the archive, and comparing its digests",
      ask: (signal) =>
        ask(path, data, signal).catch((error: unknown) => {
          if (isAbort(error)) throw error;
          // The reason is longer than the line of a message.
          const lines = failureTexts(failureOf(error));
          const run = () => Promise.resolve({ good: false, lines });
          return () => overlays.work({ title, counted: "", stop: "", run });
        }),
    });
  };

  const openForm = (path: string): void =>
    forms.open({
      title: `Import ${basename(path)} into ${world?.slug ?? ""}`,
      subject: { fields: importFields, data: initialData(importFields), check: () => [] },
      savesUnchanged: true,
      save: async (data) => {
        preview(path, data);
        return await Promise.resolve(undefined);
      },
      command: (data) => commandOf(path, data),
    });

  return (): void =>
    overlays.show({
      kind: "file",
      title: `Import an archive into ${world?.slug ?? ""}`,
      note: "a file of svc workspace export",
      onPick: openForm,
    });
}

/** Returns a function that asks for a file or a workspace, and compares this one with it. */
function useComparing(world: World) {
  const forms = useForms();
  const commands = useCommandLines();
  const { value: workspaces = [] } = useWorkspaces();

  const start = (data: JsonObject): void => {
    const name = textIn(data, "other") ?? "";
    const typed = textIn(data, "passphrase");
    const other = workspaces.find(({ id, slug }) => id === name || slug === name);
    world?.work({
      title: `Compare ${world.slug} with ${name}`,
      stop: "stops, and removes what it has made",
      run: (transfer) =>
        compareWith(
          transfer,
          other === undefined
            ? { path: world.pathOf(name), passphraseFile: typed && world.pathOf(typed) }
            : { workspaceId: other.id },
          name,
        ),
    });
  };

  return (initial?: string): void =>
    forms.open({
      title: `Compare ${world?.slug ?? ""} with an archive or a workspace`,
      subject: { fields: compareFields, data: given({ other: initial }), check: () => [] },
      savesUnchanged: true,
      save: async (data) => {
        start(data);
        return await Promise.resolve(undefined);
      },
      command: (data) =>
        commands.onPlatform(
          ["workspace", "compare", world?.slug ?? "", textIn(data, "other") ?? ""],
          given({ "passphrase-file": textIn(data, "passphrase") }),
        ),
    });
}

export function useArchiveHandlers({ table, opened, panes }: ArchivesNow) {
  const { list } = table;
  const world = useArchiveWorld(list.refresh);
  const act = useAct();
  const making = useMaking(world, table);
  const importFile = useImporting(world);
  const compare = useComparing(world);
  if (world === undefined) return {};
  return {
    makeArchive: making.make,
    saveArchive: opened.act(making.save),
    importArchive: importFile,
    compareArchive: () => compare(),
    deleteArchive: opened.act((archive) =>
      act(archiveRemoval, { archive, tenantId: world.tenantId }, (answer) => {
        list.refresh();
        if (answer !== undefined) panes.close();
      }),
    ),
  };
}
