import { textOption } from "#cli/command.ts";
import { shown } from "#cli/shown.ts";
import { storedContent } from "#client/files/content.ts";
import type { Client } from "#client/surface.ts";
import { exitCodes } from "#contract/errors.ts";
import type { ArchiveGroup } from "#contract/workspaces/archive-parts.ts";
import type { WorkspaceArchive } from "#contract/workspaces/archives.ts";
import { given } from "#lib/given.ts";
import { streamOf } from "#lib/network/stream.ts";
import { readJob } from "#lib/job-outcome.ts";
import { shellWord } from "#lib/text/shell-word.ts";
import { command } from "../kit/command.ts";
import type { CommandContext } from "../kit/context.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { encrypted, passphraseIn, passphraseOption } from "../kit/archives/passphrase.ts";
import { endOfArchive, groupsOf, timeoutOption } from "./archives/wait.ts";

export default command({
  path: "workspace export",
  summary: "Save everything of a workspace as one file",
  description:
    "The file has types, records with history, files, documents, settings, members and the " +
    "signed audit log, but no secret. The platform keeps it for 24 hours: --archive fetches one " +
    "that is made already. With --passphrase-file the file is encrypted on this machine, in the " +
    "format of age. It needs tenant-admin. A platform that makes no archives is read by its public " +
    "routes: the file then has the Object Types, records and files that you may read.",
  waits: true,
  arguments: [],
  options: {
    output: {
      ...textOption("path", "File to write, or a folder to write into"),
      required: true,
    },
    groups: textOption(
      "names",
      "Groups of parts, separated by commas: types, records, documents, understanding, members, " +
        "webhooks, alerts, geo, audit (default: all)",
    ),
    archive: {
      ...textOption("id", "Archive that is made already, instead of a new one"),
      excludes: ["groups"],
    },
    "passphrase-file": passphraseOption,
    timeout: timeoutOption,
    workspace: workspaceOption,
  },
  calls: [
    "archives.create",
    "archives.get",
    "archives.content",
    "identity.tenants",
    "objectTypes.list",
    "resources.list",
    "resources.downloadFile",
  ],
  answer: ({ z }) =>
    z.looseObject({ id: z.string().optional(), status: z.string(), output: z.string().optional() }),
  examples: ["svc workspace export --output planning.svcarchive"],
  trials: [
    { words: "--output {folder}/workspace.svcarchive --groups types,records", at: ["embedded"] },
    { words: "--output {folder}/workspace.svcarchive --timeout 1", at: ["stub"] },
    {
      words: "--output {folder}/workspace.svcarchive --groups types",
      at: ["other"],
      isAddition: false,
    },
  ],
  async run({ options }, context) {
    const { output, signal } = context;
    const groups = groupsOf(options.groups);
    const passphrase = await passphraseIn(context, options["passphrase-file"]);
    const client = await context.client({ workspace: options.workspace });
    const started =
      options.archive === undefined
        ? await startedArchive(client, groups, signal)
        : await client.archives.get({ params: { archiveId: options.archive }, signal });
    if (started === undefined) {
      return await exportPublic(context, client, { groups, passphrase, output: options.output });
    }
    const state = await endOfArchive(context, client, started, options.timeout);
    const { outcome } = readJob(state);
    const { manifest, ...shownState } = state;
    if (outcome !== "succeeded" && outcome !== "completed_with_errors") {
      await output.data(shownState, () =>
        output.fields([
          ["archive", state.id],
          ["status", state.status],
          ["error", state.error?.message],
        ]),
      );
      if (outcome !== "pending") return exitCodes.failed;
      const words = `${shellWord(state.id)} --output ${shellWord(options.output)}`;
      await output.note(shown`Continue: svc workspace export --archive ${words}`);
      return exitCodes.stillPending;
    }
    const params = { archiveId: state.id };
    const content = await storedContent(client.archives.content, { params, signal });
    const { saveContent } = await import("../kit/output/save.ts");
    const target =
      passphrase === undefined
        ? content
        : {
            ...content,
            size: undefined,
            chunks: () => encryptedChunks(content.chunks(), passphrase),
          };
    const saved = await saveContent(context, target, options.output);
    const parts = manifest?.parts ?? [];
    await output.data({ ...shownState, ...saved, parts }, () =>
      output.fields([
        ["archive", state.id],
        ["output", saved.output],
        ["size", `${saved.size} bytes`],
        ["parts", String(parts.length)],
        ["lines", String(parts.reduce((sum, { count }) => sum + count, 0))],
        ["files", String(manifest?.files.count ?? 0)],
        ["error", state.error?.message],
      ]),
    );
    return outcome === "succeeded" ? exitCodes.done : exitCodes.failed;
  },
});

/** Starts an archive; undefined at a platform without archives, whose public routes are read. */
async function startedArchive(
  client: Client,
  groups: ArchiveGroup[] | undefined,
  signal: AbortSignal,
): Promise<WorkspaceArchive | undefined> {
  try {
    return await client.archives.create({ body: given({ groups }), signal });
  } catch (error) {
    const { requireLackOfArchives } = await import("./archives/public/public-archive.ts");
    requireLackOfArchives(error, groups);
    return undefined;
  }
}

interface PublicExport {
  readonly groups: readonly ArchiveGroup[] | undefined;
  readonly passphrase: string | undefined;
  readonly output: string;
}

/** Writes an archive on this machine; the file appears when it is whole. */
async function exportPublic(
  context: CommandContext,
  client: Client,
  { groups, passphrase, output: target }: PublicExport,
): Promise<number> {
  const { output } = context;
  const { PublicArchive } = await import("./archives/public/public-archive.ts");
  const archive = new PublicArchive(context, client, groups);
  const plain = archive.bytes();
  const chunks = passphrase === undefined ? plain : encryptedChunks(plain, passphrase);
  const { saveContent } = await import("../kit/output/save.ts");
  const response = new Response();
  const whole = { filename: "workspace.svcarchive", contentType: archiveType, response };
  const known = { size: undefined, sha256: undefined, showsItsEnd: true };
  const saved = await saveContent(context, { ...whole, ...known, chunks: () => chunks }, target);
  const { parts = [], files } = archive.manifest ?? {};
  const lines = parts.reduce((sum, { count }) => sum + count, 0);
  const { leftOut } = archive;
  const status = leftOut.length === 0 ? "succeeded" : "completed_with_errors";
  await output.data({ status, ...saved, parts, leftOut }, () => [
    ...output.fields([
      ["output", saved.output],
      ["size", `${saved.size} bytes`],
      ["parts", String(parts.length)],
      ["lines", String(lines)],
      ["files", String(files?.count ?? 0)],
    ]),
    ...leftOut.map(({ part, reason }) => shown`${part} is left out: ${reason}`),
  ]);
  await output.note(shown`The platform makes no archives: this has its types, records and files`);
  return leftOut.length === 0 ? exitCodes.done : exitCodes.failed;
}

const archiveType = "application/zstd";

async function* encryptedChunks(
  chunks: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* await encrypted(streamOf(chunks), passphrase);
}
