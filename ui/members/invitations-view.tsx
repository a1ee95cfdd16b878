import type { MemberKeys } from "./keys.ts";
import { memberKeys } from "./keys.ts";
import { useMemo } from "react";
import type { Invitation } from "#client/index.ts";
import { keyOffer } from "../kit/keys/keys.ts";
import { useAgeTime, useKeys } from "../kit/keys/use-keys.ts";
import { ListPane, listRows } from "../kit/lists/list-pane.tsx";
import type { TabMoves } from "../kit/panes/tabbed-place.tsx";
import { useLayout, usePanes } from "../kit/panes/use-panes.ts";
import type { Column } from "../kit/table/columns.ts";
import { ageWords } from "../kit/text/words.ts";
import { useRole } from "../shell/platform/use-workspaces.ts";
import { useRouter } from "../shell/use-router.ts";
import { useCopy, useCopyCommand } from "../shell/use-copy.ts";
import { useMemberActions } from "./use-member-actions.ts";
import { useInvitations } from "./use-members.ts";

const panes = ["list"];

function invitationColumns(nowMs: number): Column<Invitation>[] {
  return [
    {
      id: "email",
      title: "e-mail",
      value: ({ email, invitationId }) => email ?? invitationId,
      priority: 0,
      pinned: true,
      minimum: 20,
    },
    {
      id: "role",
      title: "role",
      value: ({ role, roleName }) => roleName ?? (role ?? "").replace("tenant-", ""),
      priority: 1,
      minimum: 8,
    },
    { id: "delivery", title: "by", value: ({ delivery }) => delivery ?? "", priority: 2 },
    {
      id: "invited",
      title: "invited",
      value: ({ created_at: at }) => ageWords(at, nowMs),
      priority: 3,
    },
    {
      id: "ends",
      title: "ends",
      value: ({ expiresAt = "" }) => expiresAt.slice(0, 10),
      priority: 4,
    },
  ];
}

/** The pending invitations of the workspace. */
export function InvitationsView({ moves }: { readonly moves: TabMoves }) {
  const { width, height } = useLayout();
  const { focused } = usePanes(panes);
  const { back } = useRouter();
  const role = useRole();
  const copy = useCopy();
  const copyCommand = useCopyCommand();
  const list = useInvitations(listRows(height));
  const nowMs = useAgeTime(list.sample);
  const actions = useMemberActions(list.refresh);
  const columns = useMemo(() => invitationColumns(nowMs), [nowMs]);
  const { act } = list.cursor;
  useKeys<MemberKeys>(
    "place",
    {
      invite: actions.invite,
      removeMember: act(actions.revoke),
      copyText: act(({ email }) => email !== undefined && copy(email)),
      copyCommand: () => copyCommand.inWorkspace(["user", "invitations"]),
      nextTab: moves.nextTab,
      previousTab: moves.previousTab,
      goBack: moves.toFirst ?? back,
    },
    { facts: { role, rows: list.count } },
  );
  return (
    <ListPane<Invitation>
      title="Pending invitations"
      list={list}
      columns={columns}
      width={width}
      height={height}
      focused={focused === "list"}
      loading="Loading invitations"
      empty={{
        words: "No invitation is pending.",
        next: keyOffer(memberKeys.invite, "invites.", role),
      }}
    />
  );
}
