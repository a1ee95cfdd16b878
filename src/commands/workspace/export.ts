import { textOption } from "#cli/command.ts";
import { shown } from "#cli/shown.ts";
import { storedContent } from "#client/files/content.ts";
import { exitCodes } from "#contract/errors.ts";
import { given } from "#lib/given.ts";
import { streamOf } from "#lib/network/stream.ts";
import { readJob } from "#lib/job-outcome.ts";
import { shellWord } from "#lib/text/shell-word.ts";
import { command } from "../kit/command.ts";
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
    "format of age. It needs tenant-admin.",
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
  calls: ["archives.create", "archives.get", "archives.content"],
  answer: ({ z }) =>
    z.looseObject({ id: z.string(), status: z.string(), output: z.string().optional() }),
  examples: ["svc workspace export --output planning.svcarchive"],
  trials: [
    { words: "--output {folder}/workspace.svcarchive --groups types,records", at: ["embedded"] },
    { words: "--output {folder}/workspace.svcarchive --timeout 1", at: ["other", "stub"] },
  ],
  async run({ options }, context) {
    const { output, signal } = context;
    const groups = groupsOf(options.groups);
    const passphrase = await passphraseIn(context, options["passphrase-file"]);
    const client = await context.client({ workspace: options.workspace });
    const started =
      options.archive === undefined
        ? await client.archives.create({ body: given({ groups }), signal })
        : await client.archives.get({ params: { archiveId: options.archive }, signal });
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

async function* encryptedChunks(
  chunks: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* await encrypted(streamOf(chunks), passphrase);
}
