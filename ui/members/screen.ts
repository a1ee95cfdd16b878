import type { Invitation, Member } from "#client/index.ts";
import type { ServiceKey } from "#contract/access/keys.ts";
import { given } from "#lib/given.ts";
import { listPlace } from "../kit/places/list-place.tsx";
import { tabbedPlace } from "../kit/places/tabbed-place.tsx";
import { statusColumn } from "../kit/table/status-column.ts";
import { ageWords } from "../kit/text/words.ts";
import { apiKeyName, apiKeyRevocation, invitationRevocation, memberToggle } from "./actions.ts";
import { memberKeys, type MemberFacts, type MemberKeys } from "./keys.ts";
import { useApiKeyHandlers, useInvitationHandlers, useMemberHandlers } from "./use-members.ts";

interface Granted {
  readonly role?: string | undefined;
  readonly roleName?: string | undefined;
}

function roleWords({ role = "", roleName }: Granted): string {
  return roleName ?? role.replace("tenant-", "");
}

const statusOf = ({ status }: { readonly status?: string | undefined }) => status;

const members = listPlace<Member, MemberKeys>({
  name: "members",
  title: "Members",
  loading: "Loading members",
  search: {
    key: "search members",
    label: "search",
    placeholder: "a name or an address",
    fact: "search",
    noMatch: "No member matches this search.",
  },
  list: {
    question: "members.list",
    keyOf: ({ memberId }) => memberId,
    ask: (client, { tenantId, signal, query, text: search }) => {
      const sorted = { ...query, sort: "email", ...given({ search }) };
      return client.members.list({ tenantId, signal, query: sorted });
    },
  },
  columns: (nowMs) => [
    {
      id: "email",
      title: "e-mail",
      value: ({ email, memberId }) => email ?? memberId,
      priority: 0,
      pinned: true,
      minimum: 20,
    },
    { id: "name", title: "name", value: ({ displayName }) => displayName ?? "", priority: 2 },
    {
      id: "role",
      title: "role",
      value: (member) =>
        member.ruleId === undefined ? roleWords(member) : `${roleWords(member)} by group`,
      priority: 1,
      minimum: 8,
    },
    statusColumn({ priority: 3, of: statusOf }),
    {
      id: "since",
      title: "since",
      value: ({ created_at: at }) => ageWords(at, nowMs),
      priority: 4,
    },
  ],
  actions: { toggleMember: memberToggle },
  news: { place: "members", idOf: ({ oid }) => oid },
  useHandlers: useMemberHandlers,
  copied: ({ email }) => email,
  command: (_, { filter: { text } }) => [
    ["user", "list"],
    given({ search: text === "" ? undefined : text }),
  ],
  empty: { words: "This workspace has no members that you may see." },
});

const invitations = listPlace<Invitation, MemberKeys>({
  name: "invitations",
  title: "Pending invitations",
  loading: "Loading invitations",
  list: {
    question: "members.invitations",
    keyOf: ({ invitationId }) => invitationId,
    ask: (client, { tenantId, signal, query }) =>
      client.members.invitations({ tenantId, signal, query }),
  },
  columns: (nowMs) => [
    {
      id: "email",
      title: "e-mail",
      value: ({ email, invitationId }) => email ?? invitationId,
      priority: 0,
      pinned: true,
      minimum: 20,
    },
    { id: "role", title: "role", value: roleWords, priority: 1, minimum: 8 },
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
  ],
  actions: { removeMember: invitationRevocation },
  useHandlers: useInvitationHandlers,
  copied: ({ email }) => email,
  command: () => [["user", "invitations"]],
  empty: { words: "No invitation is pending.", offer: [memberKeys.invite, "invites"] },
});

/** The state of the selected key decides about its keys. */
function useKeyState(key: ServiceKey | undefined): { readonly facts: MemberFacts } {
  return { facts: { keyStatus: key?.status } };
}

const apiKeys = listPlace<ServiceKey, MemberKeys>({
  name: "API keys",
  title: "API keys",
  loading: "Loading the API keys",
  list: {
    question: "keys.list",
    keyOf: ({ keyId }) => keyId,
    ask: (client, { tenantId, signal, query }) => client.keys.list({ tenantId, signal, query }),
  },
  columns: (nowMs) => [
    { id: "name", title: "name", value: apiKeyName, priority: 0, pinned: true, minimum: 16 },
    { id: "role", title: "role", value: roleWords, priority: 1, minimum: 8 },
    statusColumn({ priority: 2, of: statusOf }),
    {
      id: "maker",
      title: "maker",
      value: ({ makerRemoved }) => (makerRemoved === true ? "removed" : ""),
      priority: 2,
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
  ],
  actions: { revokeKey: apiKeyRevocation },
  useHandlers: useApiKeyHandlers,
  useRowKeys: useKeyState,
  copied: ({ keyId }) => keyId,
  command: () => [["key", "list"]],
  missing: { words: "This platform has no API keys." },
  empty: {
    words: "No API key has access to this workspace.",
    offer: [memberKeys.createKey, "creates one, for a script"],
  },
});

/** The members of the workspace; pending invitations and the keys of scripts as further tabs. */
export const MembersScreen = tabbedPlace("members", {
  members,
  invitations,
  "API keys": apiKeys,
});
