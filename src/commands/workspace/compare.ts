import { shown } from "#cli/shown.ts";
import { endOfPassingArchive } from "#client/files/archive-end.ts";
import { catalogError, exitCodes } from "#contract/errors.ts";
import type { WorkspaceArchive } from "#contract/workspaces/archives.ts";
import type { ComparedSide } from "#ui/surface.ts";
import { command } from "../kit/command.ts";
import type { CommandContext } from "../kit/context.ts";
import { archiveManifestOf } from "../kit/archives/archive-file.ts";
import { compared } from "../kit/archives/comparison.ts";
import { passphraseIn, passphraseOption } from "../kit/archives/passphrase.ts";
import { timeoutOption, waitOf } from "./archives/wait.ts";

export default command({
  path: "workspace compare",
  summary: "Compare workspaces and archives by the digests of their parts",
  description:
    "Each side is the path of an archive or one of your workspaces by its ID or slug. All bytes " +
    "of an archive are read and compared with its digests. The exit code is 0 when all parts are " +
    "equal. Members, webhooks and rules of alerts are not copied by an import, so that they are " +
    "compared only for one workspace. The audit log grows by each archive, so that it is compared " +
    "only for two archives of one workspace.",
  waits: true,
  arguments: [
    { name: "one", description: "Archive or workspace" },
    { name: "other", description: "Archive or workspace" },
  ],
  options: { "passphrase-file": passphraseOption, timeout: timeoutOption },
  calls: [
    "archives.create",
    "archives.get",
    "archives.remove",
    "identity.tenants",
    "objectTypes.list",
    "resources.list",
    "resources.downloadFile",
  ],
  answer: ({ z }) =>
    z.strictObject({
      equal: z.boolean(),
      parts: z.array(
        z.strictObject({
          name: z.string(),
          outcome: z.enum(["equal", "different", "missing", "not compared"]),
          one: z.int().nullable(),
          other: z.int().nullable(),
        }),
      ),
    }),
  examples: ["svc workspace compare planning planning"],
  trials: [
    { words: "{slug} {slug} --timeout 1", at: ["stub"] },
    { words: "{slug} {slug}", at: ["other"], isAddition: false },
  ],
  async run({ options, arguments: { one, other } }, context) {
    const { output } = context;
    const passphrase = await passphraseIn(context, options["passphrase-file"]);
    const read = (name: string): Promise<ComparedSide> =>
      sideOf(context, name, { passphrase, seconds: options.timeout });
    const parts = compared(await read(one), await read(other));
    const isEqual = parts.every(({ outcome }) => outcome === "equal" || outcome === "not compared");
    await output.data({ equal: isEqual, parts }, () => [
      ...parts
        .filter(({ outcome }) => outcome !== "equal")
        .map(({ name, outcome, one: ofOne, other: ofOther }) => {
          const counts = outcome === "not compared" ? "" : ` (${ofOne ?? 0} and ${ofOther ?? 0})`;
          return shown`${name}: ${outcome}${counts}`;
        }),
      isEqual ? shown`All compared parts are equal` : shown`They are different`,
    ]);
    return isEqual ? exitCodes.done : exitCodes.failed;
  },
});

async function sideOf(
  context: CommandContext,
  name: string,
  { passphrase, seconds }: { readonly passphrase: string | undefined; readonly seconds: number },
): Promise<ComparedSide> {
  const { signal } = context;
  const isFile = await Bun.file(context.resolvePath(name)).exists();
  if (isFile || /[/\\]|\.svcarchive$/.test(name)) {
    const manifest = await archiveManifestOf(context, name, passphrase, signal);
    return { manifest, isWorkspace: false };
  }
  const client = await context.client({ workspace: name });
  let started: WorkspaceArchive;
  try {
    started = await client.archives.create({ body: {}, signal });
  } catch (error) {
    const { publicManifest, requireLackOfArchives } =
      await import("./archives/public/public-archive.ts");
    requireLackOfArchives(error, undefined);
    return { manifest: await publicManifest(context, client), isWorkspace: true };
  }
  const state = await endOfPassingArchive(client, started, waitOf(context, seconds));
  if (state.manifest !== undefined) return { manifest: state.manifest, isWorkspace: true };
  const details = state.error?.message ?? `the job of ${name} is ${state.status}`;
  throw catalogError("E203", { details });
}
