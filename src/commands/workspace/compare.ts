import { inputError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { catalogError, exitCodes } from "#contract/errors.ts";
import type { ArchiveManifest } from "#contract/workspaces/archives.ts";
import { readJob } from "#lib/job-outcome.ts";
import { command } from "../kit/command.ts";
import type { CommandContext } from "../kit/context.ts";
import { findFile } from "../kit/input/files.ts";
import { archiveStream, passphraseIn, passphraseOption } from "./archives/passphrase.ts";
import { endOfArchive, timeoutOption } from "./archives/wait.ts";

/** Parts that an import keeps and never merges: two workspaces never have the same ones. */
const keptParts: ReadonlySet<string> = new Set([
  "members",
  "webhook-endpoints",
  "webhook-sources",
  "alert-rules",
]);

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
  calls: ["archives.create", "archives.get", "archives.remove"],
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
  trials: [{ words: "{slug} {slug} --timeout 1", at: ["other", "stub"] }],
  async run({ options, arguments: { one, other } }, context) {
    const { output } = context;
    const passphrase = await passphraseIn(context, options["passphrase-file"]);
    const read = (name: string): Promise<Side> =>
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

interface Compared {
  readonly name: string;
  readonly outcome: "equal" | "different" | "missing" | "not compared";
  readonly one: number | null;
  readonly other: number | null;
}

/** An archive, or a workspace by an archive that was made for the comparison. */
interface Side {
  readonly manifest: ArchiveManifest;
  readonly isWorkspace: boolean;
}

/** The outcome of each part; those with kept parts count only for one and the same workspace. */
export function compared(left: Side, right: Side): Compared[] {
  const isSame = left.manifest.workspace.id === right.manifest.workspace.id;
  const hasOneLog = isSame && !left.isWorkspace && !right.isWorkspace;
  const [one, other] = [left, right].map(
    ({ manifest }) => new Map(manifest.parts.map((part) => [part.name, part])),
  );
  const names = new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])]);
  return [...names].map((name) => {
    const [first, second] = [one?.get(name), other?.get(name)];
    const counts = { one: first?.count ?? null, other: second?.count ?? null };
    const isCompared = name === "audit" ? hasOneLog : isSame || !keptParts.has(name);
    if (!isCompared) return { name, outcome: "not compared", ...counts };
    if (first === undefined || second === undefined) return { name, outcome: "missing", ...counts };
    return { name, outcome: first.sha256 === second.sha256 ? "equal" : "different", ...counts };
  });
}

async function sideOf(
  context: CommandContext,
  name: string,
  { passphrase, seconds }: { readonly passphrase: string | undefined; readonly seconds: number },
): Promise<Side> {
  const isFile = await Bun.file(context.resolvePath(name)).exists();
  if (isFile || /[/\\]|\.svcarchive$/.test(name)) {
    const { content } = await findFile(context, name);
    const stream = await archiveStream(content, name, passphrase);
    const { ArchiveDamagedError, verifiedManifest } = await import("#lib/archive/read-archive.ts");
    const { requireSignedAudit } = await import("#lib/archive/audit-signature.ts");
    const { archiveManifest } = await import("#contract/workspaces/archives.ts");
    try {
      const manifest = await verifiedManifest(stream, (value) => archiveManifest.parse(value));
      requireSignedAudit(manifest);
      return { manifest, isWorkspace: false };
    } catch (error) {
      if (!(error instanceof ArchiveDamagedError)) throw error;
      throw inputError(`${name} is not a sound archive: ${error.message}`);
    }
  }
  const { signal } = context;
  const client = await context.client({ workspace: name });
  const started = await client.archives.create({ body: {}, signal });
  const state = await endOfArchive(context, client, started, seconds);
  if (readJob(state).outcome !== "pending") {
    await client.archives.remove({ params: { archiveId: state.id }, signal });
  }
  if (state.manifest !== undefined) return { manifest: state.manifest, isWorkspace: true };
  const details = state.error?.message ?? `the job of ${name} is ${state.status}`;
  throw catalogError("E203", { details });
}
