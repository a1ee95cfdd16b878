import type { MemberKeys } from "./keys.ts";
import { Box } from "ink";
import { useMemo, useState } from "react";
import type { Member } from "#client/index.ts";
import { PromptLine } from "../kit/input/prompt-line.tsx";
import { filterHint } from "../kit/keys/base-keys.ts";
import { useAgeTime, useKeys } from "../kit/keys/use-keys.ts";
import { ListPane, listRows } from "../kit/lists/list-pane.tsx";
import { TabbedPlace, type TabMoves } from "../kit/panes/tabbed-place.tsx";
import { useLayout, usePanes } from "../kit/panes/use-panes.ts";
import { useRemembered } from "../kit/state/use-remembered.ts";
import type { Column } from "../kit/table/columns.ts";
import { ageWords } from "../kit/text/words.ts";
import { statusLook } from "../kit/theme/theme.ts";
import { useRole } from "../shell/platform/use-workspaces.ts";
import { useCopy, useCopyCommand } from "../shell/use-copy.ts";
import { useRouter } from "../shell/use-router.ts";
import { ApiKeysView } from "./api-keys-view.tsx";
import { InvitationsView } from "./invitations-view.tsx";
import { useMemberActions } from "./use-member-actions.ts";
import { useMembers } from "./use-members.ts";

const panes = ["list"];
const promptRows = 2;

function memberColumns(nowMs: number): Column<Member>[] {
  return [
    {
      id: "email",
      title: "e-mail",
      value: (member) => member.email ?? member.memberId,
      priority: 0,
      pinned: true,
      minimum: 20,
    },
    { id: "name", title: "name", value: (member) => member.displayName ?? "", priority: 2 },
    {
      id: "role",
      title: "role",
      value: ({ role, roleName, ruleId }) => {
        const name = roleName ?? (role ?? "").replace("tenant-", "");
        return ruleId === undefined ? name : `${name} by group`;
      },
      priority: 1,
      minimum: 8,
    },
    {
      id: "status",
      title: "status",
      value: ({ status }) => (status === undefined ? "" : `${statusLook(status).glyph} ${status}`),
      token: ({ status }) => (status === undefined ? undefined : statusLook(status).token),
      priority: 3,
      minimum: 9,
    },
    {
      id: "since",
      title: "since",
      value: (member) => ageWords(member.created_at, nowMs),
      priority: 4,
    },
  ];
}

const views = {
  members: MembersView,
  invitations: InvitationsView,
  "API keys": ApiKeysView,
} as const;

/** The members of the workspace; pending invitations and the keys of scripts as further tabs. */
export function MembersScreen() {
  return (
    <TabbedPlace
      name="members"
      tabs={["members", "invitations", "API keys"]}
      draw={(tab, moves) => {
        const View = views[tab];
        return <View moves={moves} />;
      }}
    />
  );
}

function MembersView({ moves }: { readonly moves: TabMoves }) {
  const layout = useLayout();
  const { back } = useRouter();
  const role = useRole();
  const { focused } = usePanes(panes);
  const copy = useCopy();
  const copyCommand = useCopyCommand();
  const [search, setSearch] = useRemembered("search members", "");
  const [typing, setTyping] = useState(false);
  const height = layout.height - (typing ? promptRows : 0);
  const list = useMembers(search, listRows(height));
  const nowMs = useAgeTime(list.sample);
  const columns = useMemo(() => memberColumns(nowMs), [nowMs]);
  const actions = useMemberActions(list.refresh);
  const { act } = list.cursor;
  useKeys<MemberKeys>(
    "place",
    {
      invite: actions.invite,
      changeRole: act(actions.changeRole),
      toggleMember: act(actions.toggle),
      removeMember: act(actions.remove),
      nextTab: moves.nextTab,
      previousTab: moves.previousTab,
      filter: () => setTyping(true),
      copyText: act(({ email }) => email !== undefined && copy(email)),
      copyCommand: () => copyCommand.inWorkspace(["user", "list"], search === "" ? {} : { search }),
      goBack: search === "" ? back : () => setSearch(""),
    },
    { active: !typing, facts: { role, rows: list.count } },
  );
  return (
    <Box flexDirection="column" flexShrink={0} width={layout.width} height={layout.height}>
      {typing ? (
        <PromptLine
          label="search"
          initial={search}
          placeholder="a name or an address"
          width={layout.width}
          onSubmit={(text) => {
            setSearch(text.trim());
            setTyping(false);
          }}
          onCancel={() => setTyping(false)}
        />
      ) : null}
      <ListPane<Member>
        title="Members"
        facts={search === "" ? [] : [`search ${search}`]}
        list={list}
        columns={columns}
        width={layout.width}
        height={height}
        focused={!typing && focused === "list"}
        loading="Loading members"
        empty={
          search === ""
            ? { words: "This workspace has no members that you may see." }
            : { words: "No member matches this search.", next: filterHint() }
        }
      />
    </Box>
  );
}
