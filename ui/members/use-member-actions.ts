import type { Client, Invitation, Invited, Member } from "#client/index.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { useCommandLines } from "../shell/platform/use-command-lines.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useCopy } from "../shell/use-copy.ts";
import { useNotices } from "../shell/notices.ts";
import { useRoleChoice } from "./use-role-choice.ts";

const addressPattern = /^[^\s@"<>()]+@[^\s@"<>()]+$/;

function nameOf({ email, displayName, memberId }: Member): string {
  return email ?? displayName ?? memberId;
}

/** Invites a person; without mail the link is shown once. */
function useInviting(onChanged: () => void): () => void {
  const { client, tenantId } = usePlatform();
  const overlays = useOverlays();
  const { say, sayFailure } = useNotices();
  const copy = useCopy();
  const chooseRole = useRoleChoice();

  const showInvited = ({ member, link, secret, note }: Invited): void => {
    onChanged();
    const who = nameOf(member);
    if (secret === undefined) {
      say(note === undefined ? "done" : "failed", note ?? `invited ${who} by mail`);
      return;
    }
    overlays.confirm({
      title: `Copy the invitation of ${who}`,
      effects: [
        "The link is shown this once: pass it on to the invited person",
        link ?? `svc user accept ${secret}`,
      ],
      onConfirm: () => copy(link ?? secret),
    });
  };

  return () => {
    overlays.ask({
      title: "Invite a person",
      words: "The e-mail address",
      initial: "",
      placeholder: "name@example.org",
      problemOf: (text) =>
        addressPattern.test(text.trim()) ? undefined : "this is not an e-mail address",
      onAnswer: (text) => {
        const email = text.trim();
        chooseRole(`The role of ${email}`, ({ id }) => {
          const body = { email, roleDefinitionId: id };
          client?.members.invite({ tenantId, body }).then((invited) => {
            if (invited.member.status === "invited") return showInvited(invited);
            say("done", `${email} is a member already, now with this role`);
            onChanged();
          }, sayFailure);
        });
      },
    });
  };
}

/** The actions of the members place. Each names its command, and refreshes the list when done. */
export function useMemberActions(onChanged: () => void) {
  const { client, tenantId } = usePlatform();
  const overlays = useOverlays();
  const { say, sayFailure } = useNotices();
  const commands = useCommandLines();
  const chooseRole = useRoleChoice();
  const invite = useInviting(onChanged);

  const run = (work: (open: Client) => Promise<string>): void => {
    if (client === undefined) return;
    work(client).then((words) => {
      say("done", words);
      onChanged();
    }, sayFailure);
  };

  const changeRole = (member: Member): void => {
    const { memberId } = member;
    chooseRole(`The role of ${nameOf(member)}`, ({ id, key }) =>
      run(async (open) => {
        const body = { roleDefinitionId: id };
        await open.members.setRole({ tenantId, params: { memberId }, body });
        return `${nameOf(member)} is now ${key}`;
      }),
    );
  };

  const remove = (member: Member): void => {
    const { memberId } = member;
    overlays.confirm({
      title: `Remove ${nameOf(member)}`,
      effects: ["the membership and its access, at once; another invitation brings it back"],
      command: commands.inWorkspace(["user", "remove", memberId], { force: true }),
      onConfirm: () =>
        run(async (open) => {
          await open.members.remove({ tenantId, params: { memberId } });
          return `removed ${nameOf(member)}`;
        }),
    });
  };

  const toggle = (member: Member): void => {
    const { memberId } = member;
    const isDisabled = member.status === "disabled";
    const act = isDisabled ? "enable" : "disable";
    overlays.confirm({
      title: `${isDisabled ? "Enable" : "Disable"} ${nameOf(member)}`,
      effects: [isDisabled ? "the member has access again" : "the member has no access, at once"],
      command: commands.inWorkspace(["user", act, memberId], isDisabled ? {} : { force: true }),
      onConfirm: () =>
        run(async (open) => {
          await open.members[act]({ tenantId, params: { memberId } });
          return `${act}d ${nameOf(member)}`;
        }),
    });
  };

  const revoke = ({ invitationId, email }: Invitation): void => {
    overlays.confirm({
      title: `Revoke the invitation of ${email ?? invitationId}`,
      effects: ["its link; another invitation makes a new one"],
      command: commands.inWorkspace(["user", "uninvite", invitationId], { force: true }),
      onConfirm: () =>
        run(async (open) => {
          await open.members.revokeInvitation({ tenantId, params: { invitationId } });
          return `revoked the invitation of ${email ?? invitationId}`;
        }),
    });
  };

  return { invite, changeRole, remove, toggle, revoke };
}
