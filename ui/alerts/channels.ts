import type { Client } from "#client/index.ts";
import type { AlertChannels } from "#contract/events/alerts.ts";
import { CatalogError } from "#contract/errors.ts";
import { lineDetail } from "../kit/places/line-detail.tsx";
import type { PageQuestion } from "../kit/places/action.ts";
import { listPlace, type PlaceNow, type PlaceTable } from "../kit/places/list-place.tsx";
import { useForms } from "../shell/forms/forms.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useCommandLines } from "../shell/use-copy.ts";
import { channelToggle } from "./actions.ts";
import {
  channelChanges,
  channelData,
  channelFaults,
  channelFields,
  channelOptions,
} from "./channel-form.ts";
import type { AlertFacts, AlertKeys } from "./keys.ts";
import { channelLines, channelName, channelState } from "./channel-words.ts";

const most = 500;
const keyOf = ({ role }: AlertChannels) => role ?? "yourself";

/** The choice of the user, then that for each role of the workspace. */
async function choices(client: Client, { tenantId, signal }: PageQuestion) {
  const own = await client.alerts.getChannels({ tenantId, signal });
  const roles = await rolesOf(client, tenantId, signal);
  const ofRole = (role: string) => client.alerts.getChannels({ tenantId, signal, query: { role } });
  const items = [own, ...(await Promise.all(roles.map(ofRole)))];
  return { items, total: items.length, hasNextPage: false };
}

/** The keys of the roles; none for a user who may not see them. */
async function rolesOf(client: Client, tenantId: string | undefined, signal: AbortSignal) {
  try {
    const { items } = await client.members.roleDefinitions({ tenantId, signal });
    return items.slice(0, most).map(({ key }) => key);
  } catch (error) {
    if (error instanceof CatalogError && error.status === 403) return [];
    throw error;
  }
}

/** The ids of the rules that a mail can leave out, with their names. */
function useRuleNames() {
  const { value } = useAnswer(["alerts.listRules", "names"], (client, signal, tenantId) =>
    client.alerts.listRules({ tenantId, signal, query: { limit: most } }),
  );
  return (value?.items ?? []).map(({ id, name }) => ({ id, name: name ?? id }));
}

function useChannelHandlers({ table, opened }: PlaceNow<AlertChannels, PlaceTable<AlertChannels>>) {
  const { list } = table;
  const { client, tenantId } = usePlatform();
  const rules = useRuleNames();
  const forms = useForms();
  const commands = useCommandLines();

  const edit = (channels: AlertChannels): void => {
    if (client === undefined) return;
    const { role } = channels;
    const before = channelData(channels);
    forms.open({
      title: `Change the mails for ${channelName(channels)}`,
      subject: { fields: channelFields(channels, rules), data: before, check: channelFaults },
      save: async (data) => {
        const changes = channelChanges(before, data);
        const body = role === undefined ? changes : { ...changes, role };
        await client.alerts.updateChannels({ tenantId, body });
        list.refresh();
        return `changed the mails for ${channelName(channels)}`;
      },
      command: (data) =>
        commands.inWorkspace(["alert", "channel", "update"], {
          role,
          ...channelOptions(channelChanges(before, data)),
        }),
    });
  };
  return { editChannel: opened.act(edit) };
}

function useChannelState(row: AlertChannels | undefined): { readonly facts: AlertFacts } {
  return { facts: { isOfRole: row?.role !== undefined } };
}

function useNames() {
  return { value: useRuleNames(), failure: undefined };
}

/** How alerts reach the user and the members with each role. */
export const Channels = listPlace<AlertChannels, AlertKeys>({
  name: "alert channels",
  title: "Mails of alerts",
  loading: "Loading the mails of alerts",
  list: { question: "alerts.getChannels", keyOf, ask: choices },
  columns: (nowMs) => [
    { id: "for", title: "for", value: channelName, priority: 0, pinned: true, minimum: 12 },
    {
      id: "mail",
      title: "mail",
      value: (row) => channelState(row, nowMs),
      token: (row) => (channelState(row, nowMs).startsWith("at most") ? "good" : "quiet"),
      priority: 1,
      minimum: 12,
    },
    { id: "address", title: "address", value: ({ address }) => address ?? "", priority: 2 },
  ],
  actions: { toggleMail: channelToggle },
  useHandlers: useChannelHandlers,
  useRowKeys: useChannelState,
  command: (row) => [
    ["alert", "channel", "show"],
    row?.role === undefined ? {} : { role: row.role },
  ],
  missing: { words: "This platform sends no mails of alerts." },
  empty: { words: "This platform sends no mails of alerts." },
  Detail: lineDetail<AlertChannels, ReturnType<typeof useRuleNames>>({
    kind: "channel",
    title: (row) => `Mails for ${channelName(row)}`,
    keyOf,
    useFurther: useNames,
    lines: (row, { value, ...area }) => channelLines(row, area, value),
  }),
});
