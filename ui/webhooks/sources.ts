import type { WebhookSource } from "#contract/events/webhook-sources.ts";
import { lineDetail } from "../kit/places/line-detail.tsx";
import { listPlace } from "../kit/places/list-place.tsx";
import { statusColumn } from "../kit/table/status-column.ts";
import { sourceRemoval, sourceToggle } from "./actions.ts";
import { webhookKeys, type WebhookKeys } from "./keys.ts";
import { useSourceHandlers } from "./use-source-handlers.ts";
import { ageOf, roleName, schemeWords, sourceLines, sourceName } from "./words.ts";

const keyOf = ({ source }: WebhookSource) => source;

/** The sources of calls from outside, for the workspace's admins. */
export const Sources = listPlace<WebhookSource, WebhookKeys>({
  name: "sources",
  title: "Sources of calls from outside",
  loading: "Loading the sources",
  list: {
    question: "webhookSources.list",
    keyOf,
    ask: (client, { tenantId, signal, query }) =>
      client.webhookSources.list({ tenantId, signal, query }),
  },
  columns: (nowMs) => [
    { id: "name", title: "name", value: sourceName, priority: 0, pinned: true, minimum: 16 },
    statusColumn({ priority: 1, title: "state", of: ({ status }) => status }),
    { id: "scheme", title: "scheme", value: schemeWords, priority: 2, minimum: 10 },
    { id: "role", title: "acts as", value: ({ role }) => roleName(role), priority: 3 },
    {
      id: "created",
      title: "created",
      value: ({ created_at: at }) => ageOf(at, nowMs),
      priority: 4,
    },
  ],
  actions: { toggleSource: sourceToggle, deleteSource: sourceRemoval },
  useHandlers: useSourceHandlers,
  copied: ({ url, source }) => url ?? source,
  command: (row) =>
    row === undefined
      ? [["webhook", "source", "list"]]
      : [["webhook", "source", "show", row.source]],
  missing: { words: "This platform receives no calls from outside." },
  empty: {
    words: "No other system may call this workspace.",
    offer: [webhookKeys.createSource, "creates a source for one"],
  },
  Detail: lineDetail<WebhookSource>({
    kind: "source",
    title: sourceName,
    keyOf,
    lines: sourceLines,
  }),
});
