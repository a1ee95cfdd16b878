import type { MemberFacts, MemberKeys } from "./keys.ts";
import { memberKeys } from "./keys.ts";
import { useMemo } from "react";
import type { ServiceKey } from "#contract/keys.ts";
import { keyOffer } from "../kit/keys/keys.ts";
import { useAgeTime, useKeys } from "../kit/keys/use-keys.ts";
import { ListPane, listRows } from "../kit/lists/list-pane.tsx";
import type { TabMoves } from "../kit/panes/tabbed-place.tsx";
import { useLayout, usePanes } from "../kit/panes/use-panes.ts";
import { useSelected } from "../kit/state/store.ts";
import type { Column } from "../kit/table/columns.ts";
import { ageWords } from "../kit/text/words.ts";
import { statusLook } from "../kit/theme/theme.ts";
import { useRole } from "../shell/platform/use-workspaces.ts";
import { useRouter } from "../shell/use-router.ts";
import { useCopy, useCopyCommand } from "../shell/use-copy.ts";
import { apiKeyName, useApiKeyActions, useApiKeys } from "./use-api-keys.ts";

const panes = ["list"];

function keyColumns(nowMs: number): Column<ServiceKey>[] {
  return [
    { id: "name", title: "name", value: apiKeyName, priority: 0, pinned: true, minimum: 16 },
    {
      id: "role",
      title: "role",
      value: ({ role, roleName }) => roleName ?? (role ?? "").replace("tenant-", ""),
      priority: 1,
      minimum: 8,
    },
    {
      id: "status",
      title: "status",
      value: ({ status }) => (status === undefined ? "" : `${statusLook(status).glyph} ${status}`),
      token: ({ status }) => (status === undefined ? undefined : statusLook(status).token),
      priority: 2,
      minimum: 9,
    },
    {
      id: "used",
      title: "last used",
      value: ({ lastUsedAt }) => ageWords(lastUsedAt, nowMs) || "never",
      priority: 3,
    },
    {
      id: "expires",
      title: "expires",
      value: ({ expiresAt }) => expiresAt?.slice(0, 10) ?? "never",
      priority: 4,
    },
    {
      id: "created",
      title: "created",
      value: ({ created_at: at }) => ageWords(at, nowMs),
      priority: 5,
    },
  ];
}

/** The API keys of scripts that have access to the workspace. */
export function ApiKeysView({ moves }: { readonly moves: TabMoves }) {
  const { width, height } = useLayout();
  const { focused } = usePanes(panes);
  const { back } = useRouter();
  const role = useRole();
  const copy = useCopy();
  const copyCommand = useCopyCommand();
  const list = useApiKeys(listRows(height));
  const nowMs = useAgeTime(list.sample);
  const actions = useApiKeyActions(list.refresh);
  const columns = useMemo(() => keyColumns(nowMs), [nowMs]);
  const { act, selected } = list.cursor;
  const keyStatus = useSelected(list.cursor, () => selected()?.status);
  useKeys<MemberKeys, MemberFacts>(
    "place",
    {
      createKey: actions.create,
      changeKeyRole: act(actions.changeRole),
      revokeKey: act(actions.revoke),
      copyText: act(({ keyId }) => copy(keyId)),
      copyCommand: () => copyCommand.inWorkspace(["key", "list"]),
      nextTab: moves.nextTab,
      previousTab: moves.previousTab,
      goBack: moves.toFirst ?? back,
    },
    { facts: { role, rows: list.count, keyStatus } },
  );
  return (
    <ListPane<ServiceKey>
      title="API keys"
      list={list}
      columns={columns}
      width={width}
      height={height}
      focused={focused === "list"}
      loading="Loading the API keys"
      missing={{ words: "This platform has no API keys." }}
      empty={{
        words: "No API key has access to this workspace.",
        next: keyOffer(memberKeys.createKey, "creates one, for a script.", role),
      }}
    />
  );
}
