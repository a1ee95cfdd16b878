import { textIn } from "#client/enrollments.ts";
import type { Fault, JsonObject } from "#client/index.ts";
import { archiveGroups, type ArchiveGroup } from "#contract/workspaces/archive-parts.ts";
import { pointer } from "#lib/json/pointer.ts";
import { given } from "#lib/given.ts";
import { formField, textChoices, type FormField } from "../kit/forms/form-field.ts";
import { textsIn } from "../kit/forms/field-text.ts";
import type { CommandOptions } from "../kit/text/command-line.ts";

const passphrase = formField("passphrase", "passphrase", {
  hint: "a file whose first line encrypts the archive on this machine; empty for none",
});
const ofEncrypted = formField("passphrase", "passphrase", {
  hint: "a file whose first line decrypts an encrypted archive; empty for none",
});

/** The path of the file that is written, and its passphrase. */
export function saveFields(isRequired: boolean): FormField[] {
  const kept = isRequired ? "" : "; empty: the platform keeps it for a later download";
  return [formField("output", "file", { isRequired, hint: `path to write${kept}` }), passphrase];
}

export const makeFields: readonly FormField[] = [
  formField("groups", "groups", {
    kind: "list",
    choices: textChoices(archiveGroups),
    hint: "one in each line; empty for all",
  }),
  ...saveFields(false),
];

export const importFields: readonly FormField[] = [
  formField("invite", "invite members", {
    kind: "choice",
    isRequired: true,
    fallback: false,
    choices: [
      { text: "no", value: false },
      { text: "yes", value: true },
    ],
    hint: "yes: invite the active members of the archive, who are listed first",
  }),
  ofEncrypted,
];

export const compareFields: readonly FormField[] = [
  formField("other", "with", {
    isRequired: true,
    hint: "the path of an archive, or the slug or id of one of your workspaces",
  }),
  ofEncrypted,
];

/** Groups that an archive does not have. */
export function groupFaults(data: JsonObject): Fault[] {
  const known: readonly string[] = archiveGroups;
  const unknown = textsIn(data["groups"]).find((group) => !known.includes(group));
  if (unknown === undefined) return [];
  const detail = `has ${unknown}, which is no group: ${archiveGroups.join(", ")}`;
  return [{ pointer: pointer("groups"), detail }];
}

export interface ArchiveSettings {
  readonly groups: ArchiveGroup[] | undefined;
  readonly output: string | undefined;
  readonly passphraseFile: string | undefined;
}

/** The settings of a form that makes or saves an archive. */
export function archiveSettings(data: JsonObject): ArchiveSettings {
  const groups = textsIn(data["groups"]);
  return {
    groups:
      groups.length === 0 ? undefined : archiveGroups.filter((group) => groups.includes(group)),
    output: textIn(data, "output"),
    passphraseFile: textIn(data, "passphrase"),
  };
}

/** The options of `svc workspace export` that write the same file. */
export function exportOptions(
  { groups, output, passphraseFile }: ArchiveSettings,
  archive?: string,
): CommandOptions {
  return given({
    output: output ?? ".",
    archive,
    groups: groups?.join(","),
    "passphrase-file": passphraseFile,
  });
}

/** The options of `svc workspace import` that do the same. */
export function importOptions(data: JsonObject): CommandOptions {
  const invite = data["invite"] === true ? true : undefined;
  return given({ invite, "passphrase-file": textIn(data, "passphrase") });
}
