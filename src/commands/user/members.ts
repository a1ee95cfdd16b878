import { shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import { usageFormatError } from "#cli/errors.ts";
import type { Client } from "#client/surface.ts";
import { catalogError } from "#contract/errors.ts";
import type { Invited, Member } from "#contract/access/members.ts";
import { given } from "#lib/given.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import type { CommandContext } from "../kit/context.ts";
import { addressIn } from "../kit/input/email.ts";
import { roleWords } from "../kit/roles.ts";

/** Options and answers that several `user` commands share. */

export const workspaceOption = {
  ...textOption("workspace", "Workspace ID or slug (default: the selected one)"),
  aliases: ["tenant", "tenant-id"],
} as const;

export const memberArgument = {
  name: "member",
  description: "E-mail address or member ID",
} as const;

export const everywhereOption = {
  type: "boolean",
  description: "The whole account, as the installation's administrator",
} as const;

/** The person's names, and the message and address of an invitation (spec 4.7). */
export const personOptions = {
  "first-name": textOption("name", "First name"),
  "last-name": textOption("name", "Last name"),
  message: textOption("text", "Words for the invited person"),
  "redirect-uri": textOption("url", "Absolute address to continue at after the invitation"),
} as const;

/** The parts of an invitation that the options have; refuses an address that is not absolute. */
export function personOf(options: {
  readonly "first-name"?: string;
  readonly "last-name"?: string;
  readonly message?: string;
  readonly "redirect-uri"?: string;
}) {
  const { message, "first-name": firstName, "last-name": lastName } = options;
  const redirectUri = options["redirect-uri"];
  if (redirectUri !== undefined && !/^https?:$/.test(URL.parse(redirectUri)?.protocol ?? "")) {
    throw usageFormatError(`--redirect-uri "${redirectUri}"`, "an absolute http or https address");
  }
  return {
    ...given({ firstName, lastName, message, redirectUri }),
  };
}

/** The member with this address, or with this ID, which may be any text. Throws E202. */
export async function findMember(
  context: CommandContext,
  client: Client,
  name: string,
): Promise<{ readonly memberId: string; readonly member: Member | undefined }> {
  const email = addressIn(name);
  if (email === undefined) return { memberId: canonicalUuid(name) ?? name, member: undefined };
  const member = await client.members.byEmail({ query: { email }, signal: context.signal });
  return { memberId: member.memberId, member };
}

/**
 * The account of this address or member ID, for the routes of accounts. With `isMember` it throws
 * E202 where the workspace has no such member; other accounts have no other place to look for.
 */
export async function oidOf(
  context: CommandContext,
  client: Client,
  name: string,
  { isMember = false }: { readonly isMember?: boolean } = {},
): Promise<string> {
  const { memberId, member } = await findMember(context, client, name);
  if (member !== undefined) return member.oid ?? memberId;
  const where = JSON.stringify({ memberId });
  const { items } = await client.members.list({ query: { where }, signal: context.signal });
  if (isMember && items.length === 0) {
    throw catalogError("E202", { resource: `Member ${memberId}` });
  }
  // A deployment may ignore `where`, and list all its members.
  return items.find((item) => item.memberId === memberId)?.oid ?? memberId;
}

/** Prints an invitation: who, as what, and how the person gets it. */
export async function printInvited(context: CommandContext, invited: Invited): Promise<void> {
  const { output } = context;
  const { member, invitation, link, secret, note } = invited;
  await output.data(invited, () =>
    output.fields([
      ["e-mail", member.email],
      ["role", roleWords(member)],
      ["status", member.status],
      ["invitation", invitation?.invitationId],
      ["expires", invitation?.expiresAt],
      ["delivery", invitation?.delivery],
    ]),
  );
  if (output.isJson) return;
  if (note !== undefined) await output.note(shown`${note}`);
  if (link !== undefined) {
    await output.note(shown`Pass this link on; it is shown this once:\n${link}`);
  } else if (secret !== undefined) {
    const words = `svc user accept ${secret}`;
    await output.note(shown`Pass this command on; it is shown this once:\n${words}`);
  } else if (invitation?.delivery === "mail") {
    await output.note(shown`The invitation was sent by mail`);
  }
}
