import * as z from "zod";
import { parsedJson, sortedJson } from "#lib/json/value.ts";
import { timestamp } from "#contract/values.ts";
import { DamagedFileError } from "../../../kit/storage-errors.ts";
import { storedContent } from "../place/sealed-objects.ts";
import type { BackupPlace } from "../place/placed-objects.ts";
import { notInPlace } from "../place/backup-place.ts";

/**
 * A backup of a place: `sets/<name>/manifest.json`, written last, and its parts next to it.
 * `database` is an SQLite file or the rows of PostgreSQL, `files` the list of files with the names
 * of their contents in `blobs/`, `blobs` the pieces of these, and `erasures` the ids that were
 * erased before.
 */
const format = "svc-backup-set";
const tableFacts = z.object({ rows: z.int().min(0), sha256: z.string().optional() });
const setManifest = z.object({
  format: z.literal(format),
  formatVersion: z.literal(1),
  name: z.string().max(100),
  /** The database has all that was committed before. */
  createdAt: timestamp,
  /** It has nothing that was committed later; absent in backups of earlier versions. */
  stateAt: timestamp.optional(),
  svcVersion: z.string(),
  engine: z.enum(["sqlite", "postgresql"]),
  /** The changes of the schema that the database has. */
  migrations: z.array(z.string()),
  /** The id of the key file that the database needs. */
  keyId: z.string().max(64).optional(),
  /** The public keys whose owners can read it. */
  recipients: z.array(z.string()),
  parts: z.object({
    database: storedContent,
    files: storedContent,
    blobs: storedContent,
    erasures: storedContent,
  }),
  /** Rows by table; with a digest for PostgreSQL. */
  tables: z.record(z.string(), tableFacts),
  files: z.object({
    count: z.int().min(0),
    bytes: z.int().min(0),
    /** Files that no earlier backup had. */
    added: z.int().min(0),
    addedBytes: z.int().min(0),
    /** Files that the platform itself lacks or has damaged. */
    lost: z.int().min(0),
  }),
  /** SHA-256 of all other members. */
  sha256: z.string(),
});
export type SetManifest = z.output<typeof setManifest>;

/** The content of one line of the part `files`; without `blob` the file was gone or lost. */
export const setFile = z.object({
  workspaceId: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  size: z.int().min(0),
  blob: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** True if the platform lacked it, although a record or document needs it. */
  isLost: z.boolean().optional(),
});
export type SetFile = z.output<typeof setFile>;

/**
 * The content of one line of the part `blobs`: the content `blob` is the object `object`. No object
 * is written twice, because an older backup may have it.
 */
export const setBlob = storedContent.extend({
  blob: z.string(),
  object: z.string().regex(/^[0-9a-f]{64}-[\da-f]{8}$/),
});
export type SetBlob = z.output<typeof setBlob>;

const setsFolder = "sets";
const manifestName = "manifest.json";
const namePattern = /^\d{8}T\d{6}Z-[\da-f]{8}$/;

export function newSetName(now: Date): string {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return `${time}-${crypto.randomUUID().slice(0, 8)}`;
}

export function partName(set: string, part: keyof SetManifest["parts"]): string {
  return `${setsFolder}/${set}/${part}`;
}

export function blobName(object: string): string {
  return `blobs/${object.slice(0, 2)}/${object}`;
}

/** Publishes a set: before this it does not exist for readers. */
export async function writeManifest(
  place: BackupPlace,
  unsigned: Omit<SetManifest, "sha256">,
): Promise<SetManifest> {
  const manifest = { ...unsigned, sha256: digestOf(unsigned) };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await place.put(`${setsFolder}/${manifest.name}/${manifestName}`, Buffer.from(text));
  return manifest;
}

/** The manifest of a set. Throws `DamagedFileError`, and E202 for one that does not exist. */
export async function readManifest(place: BackupPlace, name: string): Promise<SetManifest> {
  const bytes = await place.read(`${setsFolder}/${name}/${manifestName}`);
  if (bytes === undefined) throw notInPlace(`Backup ${name} in ${place.name}`);
  const parsed = setManifest.safeParse(parsedJson(Buffer.from(bytes).toString()));
  const wrong = new DamagedFileError(`The manifest of the backup ${name} is damaged`);
  if (!parsed.success || parsed.data.name !== name) throw wrong;
  const { sha256, ...unsigned } = parsed.data;
  if (sha256 !== digestOf(unsigned)) throw wrong;
  return parsed.data;
}

function digestOf(unsigned: Omit<SetManifest, "sha256">): string {
  return Bun.CryptoHasher.hash("sha256", sortedJson(unsigned), "hex");
}

export interface PlacedSets {
  /** The names of complete sets, oldest first. */
  readonly names: readonly string[];
  /** Sets that a stopped backup left without a manifest. */
  readonly incomplete: readonly string[];
  readonly objects: ReadonlyMap<string, readonly string[]>;
}

/** The sets of a place, from the names of their objects. */
export async function placedSets(place: BackupPlace): Promise<PlacedSets> {
  const objects = new Map<string, string[]>();
  for await (const { name } of place.list(setsFolder)) {
    const [, set = ""] = name.split("/");
    if (!namePattern.test(set)) continue;
    objects.set(set, [...(objects.get(set) ?? []), name]);
  }
  const all = [...objects.keys()].toSorted();
  const isComplete = (set: string): boolean =>
    objects.get(set)?.includes(`${setsFolder}/${set}/${manifestName}`) === true;
  return {
    names: all.filter(isComplete),
    incomplete: all.filter((set) => !isComplete(set)),
    objects,
  };
}

/** The time that a set's name has, in milliseconds. */
export function timeOfSet(name: string): number {
  const [, date = "", time = ""] = /^(\d{8})T(\d{6})Z/.exec(name) ?? [];
  const [year, month, day] = [date.slice(0, 4), date.slice(4, 6), date.slice(6)];
  return Date.parse(
    `${year}-${month}-${day}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}Z`,
  );
}
