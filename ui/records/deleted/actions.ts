import type { ObjectType, Resource } from "#client/index.ts";
import type { DeletedRecord } from "#contract/resources/restore.ts";
import { counted } from "#lib/text/counted.ts";
import { nameIn } from "../../kit/data-fields/record-columns.ts";
import type { Action } from "../../kit/places/action.ts";

/** A deleted record with its type, by which it is named. */
export interface Deleted {
  readonly type: ObjectType;
  readonly record: DeletedRecord;
}

type Restored = Resource & {
  readonly restored?: { readonly records?: number; readonly references?: number } | undefined;
};

export function deletedName({ type, record }: Deleted): string {
  return nameIn(record.data, type) ?? record.id;
}

export const recordRestore: Action<Deleted, Restored> = {
  removes: true,
  run: (client, { type, record }, tenantId) =>
    client.useResources(type.slug, { tenantId }).restore(record.id),
  done: (deleted, { version, restored: { records = 1, references = 0 } = {} }) =>
    [
      `restored ${deletedName(deleted)} as version ${version}`,
      ...(records > 1 ? [`with ${counted(records - 1, "other record")}`] : []),
      ...(references > 0 ? [`and ${counted(references, "reference")} to it`] : []),
    ].join(" "),
};

function versionWords({ version }: DeletedRecord): string {
  return version === undefined ? "its history" : counted(version, "version");
}

export const recordErasure: Action<Deleted> = {
  question: {
    title: (deleted) => `Erase ${deletedName(deleted)} for good`,
    effects: ({ type, record }) => [
      `${type.slug} ${record.id} with ${versionWords(record)} and its files`,
      ...(record.deletedWith === undefined ? ["the records that its deletion has deleted"] : []),
      "its values in kept answers of keys and in the audit log, which keeps the digests",
      "backups get its id, so that a restore erases it again",
      "this cannot be undone",
    ],
    command: ({ type, record }) => [["resources", "erase", type.slug, record.id], { force: true }],
    typed: ({ type }) => type.slug,
  },
  removes: true,
  run: (client, { type, record }, tenantId) =>
    client.useResources(type.slug, { tenantId }).erase(record.id),
  done: (deleted) => `erased ${deletedName(deleted)}`,
};
