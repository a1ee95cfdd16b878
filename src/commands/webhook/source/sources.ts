import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import { roles, type Role } from "#contract/access/roles.ts";
import type {
  SourceChanges,
  SourceCreation,
  WebhookSource,
} from "#contract/events/webhook-sources.ts";
import { given } from "#lib/given.ts";
import { readText } from "../../kit/input/data.ts";
import type { CommandContext } from "../../kit/context.ts";

export const sourceArgument = {
  name: "source",
  description: "ID of the source; `svc webhook source list`",
} as const;
export const receivedArgument = {
  name: "call",
  description: "ID of the call; `svc webhook source received`",
} as const;

const schemeTypes = ["standard", "hmac", "timestamped", "token"] as const;

/** The settings of a source that its creation and its change share. */
export const settingOptions = {
  scheme: {
    type: "string",
    values: schemeTypes,
    description: "How the sender signs: Standard Webhooks, GitHub, Stripe, or a token",
  },
  header: textOption("name", "Header field of the signature or token"),
  "public-key": textOption("key", "The sender's key for v1a signatures, whpk_…"),
  role: { type: "string", values: roles, description: "Role by whose rights calls take effect" },
  mapping: textOption("jq", "Program that makes the effect; `-` reads stdin, `@path` a file"),
} as const;

export const secretOption = textOption(
  "secret",
  "Secret that the sender has chosen; `-` reads stdin, `@path` a file (default: a new one)",
);

interface Settings {
  readonly scheme?: (typeof schemeTypes)[number];
  readonly header?: string;
  readonly "public-key"?: string;
  readonly role?: Role;
  readonly mapping?: string;
}

type SettingsBody = Pick<SourceChanges, "role" | "mapping"> & {
  readonly scheme?: Partial<SourceCreation["scheme"]> & Pick<SourceCreation["scheme"], "type">;
};

/** The settings as a request has them. */
export async function settingsOf(
  context: CommandContext,
  options: Settings,
): Promise<SettingsBody> {
  const { scheme, header, "public-key": publicKey, role, mapping: value } = options;
  if (scheme === undefined && (header !== undefined || publicKey !== undefined)) {
    throw usageError("--header and --public-key need --scheme");
  }
  const mapping = value === undefined ? undefined : await readText(context, value, "--mapping");
  return given({
    role,
    mapping,
    scheme: scheme === undefined ? undefined : { type: scheme, ...given({ header, publicKey }) },
  });
}

/** The text of `--secret`, without the line end of a file. */
export async function secretOf(
  context: CommandContext,
  value: string | undefined,
): Promise<string | undefined> {
  if (value === undefined) return undefined;
  return (await readText(context, value, "--secret")).replace(/\r?\n$/, "");
}

/** The lines about a source; `secret` is in the first answer only. */
export function sourceLines(
  row: WebhookSource & { readonly secret?: string | undefined },
): [string, string | undefined][] {
  return [
    ["source", row.source],
    ["name", row.name],
    ["url", row.url],
    ["scheme", row.scheme?.type],
    ["role", row.role],
    ["status", row.status],
    ["key", row.keyId],
    ["former secret until", row.rotatesUntil ?? undefined],
    ["mapping", row.mapping],
    ...(row.secret === undefined ? [] : [["secret", row.secret] as [string, string]]),
  ];
}
