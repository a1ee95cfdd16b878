import { shown } from "#cli/shown.ts";
import type { Output } from "#cli/output/output.ts";
import { exitCodes } from "#contract/errors.ts";
import { roles } from "#contract/access/roles.ts";
import type { ArchiveImport } from "#contract/workspaces/archives.ts";
import { readJob } from "#lib/job-outcome.ts";
import { command } from "../kit/command.ts";
import type { CommandContext } from "../kit/context.ts";
import { localFile } from "../kit/input/files.ts";
import { roleWords } from "../kit/roles.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { presentMember } from "../kit/workspaces/present-member.ts";
import { archiveStream, passphraseIn, passphraseOption } from "../kit/archives/passphrase.ts";
import { endOf, timeoutOption } from "./archives/wait.ts";

export default command({
  path: "workspace import",
  summary: "Import an archive into a workspace",
  description:
    "All digests of the archive are compared before anything is stored. Ids are kept where they " +
    "are free, else the answer has both. A type with the slug of one in the archive refuses it; " +
    "other things that the workspace has stay as they are. A record that its type does not allow " +
    "is refused with the reason. Webhooks and rules of alerts are made disabled. Members are " +
    "listed, and invited only with --invite. It needs tenant-admin.",
  waits: true,
  arguments: [{ name: "file", description: "Path of the archive" }],
  options: {
    invite: { type: "boolean", description: "Invite the active members of the archive" },
    force: { type: "boolean", description: "Invite without a question" },
    "passphrase-file": passphraseOption,
    timeout: timeoutOption,
    workspace: workspaceOption,
  },
  calls: ["archives.import", "archives.importJob", "members.byEmail", "members.invite"],
  answer: "archives.importJob",
  trials: [
    { words: "plan.txt --timeout 1", at: ["other", "stub"] },
    {
      words: "{folder}/types.svcarchive",
      after: ["workspace export --output {folder}/types.svcarchive --groups types"],
      at: ["embedded"],
    },
  ],
  async run({ options, arguments: { file: path } }, context) {
    const { output, signal } = context;
    const file = await localFile(context, path);
    const passphrase = await passphraseIn(context, options["passphrase-file"]);
    const stream = await archiveStream(file.content, path, passphrase);
    const client = await context.client({ workspace: options.workspace });
    const content = { stream: () => stream };
    const started = await client.archives.import({ content, signal });
    const params = { importId: started.id };
    const read = (): Promise<ArchiveImport> => client.archives.importJob({ params, signal });
    const state = await endOf(context, started, read, options.timeout);
    await output.data(state, () => importFields(output, state));
    const { outcome } = readJob(state);
    if (outcome === "pending") return exitCodes.stillPending;
    if (outcome === "failed" || outcome === "cancelled") return exitCodes.failed;
    if (options.invite) await inviteAll(context, state, options);
    return outcome === "succeeded" ? exitCodes.done : exitCodes.failed;
  },
});

function importFields(output: Output, state: ArchiveImport) {
  const { parts = [], refused = [], members = [], renamedCount = 0 } = state;
  return [
    ...output.fields([
      ["import", state.id],
      ["status", state.status],
      ["new ids", renamedCount === 0 ? undefined : String(renamedCount)],
      ["error", state.error?.message],
    ]),
    ...parts.map(({ name, stored, leftOut, refused: count = 0 }) => {
      const others = `${numbered(leftOut, "left out")}${numbered(count, "refused")}`;
      return shown`${name}: ${stored} stored${others}`;
    }),
    ...refused.map(({ part, id, reason }) => shown`refused: ${part} ${id}: ${reason}`),
    ...members.map(({ email, role }) => shown`member of the archive: ${email} (${role})`),
  ];
}

function numbered(count: number, outcome: string): string {
  return count === 0 ? "" : `, ${count} ${outcome}`;
}

/** Invites the members of an archive after a question, each with the base role. */
async function inviteAll(
  context: CommandContext,
  { members = [] }: ArchiveImport,
  options: { readonly force: boolean; readonly workspace?: string | undefined },
): Promise<void> {
  const { output, signal } = context;
  if (members.length === 0) return;
  const list = members.map(({ email, role }) => `${email} (${role})`).join(", ");
  const { confirm } = await import("../kit/input/confirm.ts");
  if (!options.force) {
    await confirm(context, `Invite ${members.length} members: ${list}?`, "--force");
  }
  const client = await context.client({ workspace: options.workspace });
  for (const { email, role: name } of members) {
    const role = roles.find((each) => each === name);
    if (role === undefined) continue;
    const member = await presentMember(context, client, email);
    if (member !== undefined) {
      await output.note(shown`${email} is a member already and stays ${roleWords(member)}`);
      continue;
    }
    await client.members.invite({ body: { email, role }, signal });
    await output.note(shown`Invited ${email} as ${role}`);
  }
}
