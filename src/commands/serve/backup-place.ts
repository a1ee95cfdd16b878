import type * as zod from "zod";
import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import { shown, Shown } from "#cli/shown.ts";
import { catalogError } from "#contract/errors.ts";
import { counted } from "#lib/text/counted.ts";
import type { MissingFile } from "#server/platform/backup/sets/missing-files.ts";
import type { CommandContext } from "../kit/context.ts";
import { filesCredentials } from "./data-places.ts";

/** The options of a place of backups and of its keys, but for the place itself. */
export const backupKeyOptions = {
  "backup-key-file": textOption(
    "file",
    "The private key of backups (age), which the first backup makes; keep a copy elsewhere",
  ),
  "backup-recipient": {
    type: "string",
    placeholder: "key",
    repeatable: true,
    description: "Public key (age1…) whose owner can read the backups too; repeatable",
  },
} as const;

export const placeWords =
  "Folder, or s3://bucket/prefix?endpoint=…; credentials from SVC_BACKUP_ACCESS_KEY_ID and " +
  "SVC_BACKUP_SECRET_ACCESS_KEY, or those of --files-url";

const unitMs = { s: 1_000, m: 60_000, h: 60 * 60_000, d: 24 * 60 * 60_000 } as const;

/** The milliseconds of `30m`, `6h` or `14d`; throws a usage error for other texts. */
function durationOf(flag: string, text: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([smhd])$/.exec(text) ?? [];
  if (count === undefined || (unit !== "s" && unit !== "m" && unit !== "h" && unit !== "d")) {
    throw usageError(`${flag} "${text}" is not a time`, "Expected a time such as 30m, 6h or 14d");
  }
  return Number(count) * unitMs[unit];
}

interface KeyOptions {
  readonly "backup-key-file"?: string;
  readonly "backup-recipient"?: readonly string[];
}

/** The place and the keys that the options name. A folder is an absolute path. */
export function backupPlaceOf(context: CommandContext, to: string, options: KeyOptions) {
  const isBucket = /^s3:\/\//i.test(to);
  const keyFile = options["backup-key-file"];
  const { variables } = context.environment;
  return {
    to: isBucket ? to : context.resolvePath(to),
    credentials: isBucket ? filesCredentials(variables, to, ["SVC_BACKUP"]) : undefined,
    backupKeyFile: keyFile === undefined ? undefined : context.resolvePath(keyFile),
    recipients: options["backup-recipient"] ?? [],
  };
}

/** The schedule of `svc serve`; undefined without `--backup-to`. Throws E006 and E305. */
export async function backupScheduleOf(
  context: CommandContext,
  options: KeyOptions & {
    readonly "backup-to"?: string;
    readonly "backup-every": string;
    readonly "backup-keep": string;
  },
  dataDirectory: string,
) {
  const everyMs = durationOf("--backup-every", options["backup-every"]);
  const keptMs = durationOf("--backup-keep", options["backup-keep"]);
  if (options["backup-to"] === undefined) return undefined;
  const place = backupPlaceOf(context, options["backup-to"], options);
  const { isInside } = await import("#server/platform/backup/refuse-nested.ts");
  const { isBucket } = await import("#server/platform/backup/place/backup-place.ts");
  if (isBucket(place.to)) {
    const { parseFilesUrl } = await import("#server/files/s3/files-url.ts");
    parseFilesUrl(place.to);
  } else {
    const refuse = (what: string, where: string): Error =>
      catalogError(
        "E305",
        { details: `${what} is inside ${where}` },
        { hint: "Backups, their key and the data belong in different places" },
      );
    if (await isInside(place.to, dataDirectory)) throw refuse("--backup-to", dataDirectory);
    const { backupKeyFile } = place;
    if (backupKeyFile !== undefined && (await isInside(backupKeyFile, place.to))) {
      throw refuse("--backup-key-file", place.to);
    }
  }
  const { openBackupKeys } = await import("#server/platform/backup/place/backup-keys.ts");
  await openBackupKeys(place, { makes: true });
  const command = [...context.environment.selfCommand, "__backup"];
  return { ...place, everyMs, keptMs, command };
}

/** The objects of a place, for a command that reads or writes backups. */
export async function openBackupObjects(
  context: CommandContext,
  to: string,
  options: KeyOptions,
  { makes }: { readonly makes: boolean },
) {
  const place = backupPlaceOf(context, to, options);
  const [{ openBackupKeys }, { openBackupPlace }, { SealedObjects }] = await Promise.all([
    import("#server/platform/backup/place/backup-keys.ts"),
    import("#server/platform/backup/place/backup-place.ts"),
    import("#server/platform/backup/place/sealed-objects.ts"),
  ]);
  const keys = await openBackupKeys(place, { makes });
  const opened = await openBackupPlace(place.to, place.credentials);
  return { keys, objects: new SealedObjects(opened, keys, context.signal) };
}

/** The words for the work that a restore has dropped. */
export function droppedWords(dropped: {
  readonly leases: number;
  readonly deliveries: number;
  readonly mails: number;
}): string {
  const { leases, deliveries, mails } = dropped;
  return `${leases} leases, ${deliveries} waiting deliveries, ${mails} waiting mails`;
}

/** The schema of the places that name lost files, of which an answer has at most 100. */
export function lostFilesSchema(z: typeof zod) {
  const nullable = z.string().nullable();
  const place = { tenantId: z.string(), kind: z.string(), id: z.string(), sha256: z.string() };
  const named = { objectType: nullable, property: nullable, filename: nullable };
  return z.array(z.looseObject({ ...place, ...named }));
}

/** Notes how many files no place has, and names what lacks them. */
export async function noteLostFiles(
  { output }: CommandContext,
  { lost, lostFiles }: { readonly lost: number; readonly lostFiles: readonly MissingFile[] },
): Promise<void> {
  if (lost === 0) return;
  const missing = counted(lost, "file");
  const lines = lostFiles.map(({ tenantId, kind, id, objectType, property, filename, sha256 }) => {
    const isRecord = kind === "record";
    const owner = isRecord ? `record ${objectType}/${id}, ${property}` : `${kind} ${id}`;
    return shown`  ${owner}: ${filename ?? sha256} (workspace ${tenantId})`;
  });
  const first = shown`In no backup, and not restored: ${missing}. Run \`svc serve doctor\``;
  await output.note(Shown.joined([first, ...lines], "\n"));
}
