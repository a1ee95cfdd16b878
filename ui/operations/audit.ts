import type { AuditEntry } from "#client/index.ts";
import { listPlace } from "../kit/places/list-place.tsx";
import { ageWords } from "../kit/text/words.ts";

const outcomes = ["done", "refused", "failed"] as const;

/** The filter as a query: an outcome such as `refused`, else a route such as `members.*`. */
function auditQuery(filter: string) {
  const outcome = outcomes.find((known) => known === filter);
  if (outcome !== undefined) return { outcome };
  return filter === "" ? {} : { action: filter };
}

/** The audit log of the workspace, for its admins. */
export const audit = listPlace<AuditEntry>({
  name: "audit",
  title: "Audit log",
  loading: "Loading the audit log",
  search: {
    key: "filter audit",
    label: "filter",
    placeholder: "refused, failed, done, or a route such as members.*",
    fact: "only",
    noMatch: "No entry matches this filter.",
  },
  list: {
    question: "audit.list",
    keyOf: ({ sequence }) => String(sequence),
    ask: (client, { tenantId, signal, query, text = "" }) =>
      client.audit.list({ tenantId, signal, query: { ...query, ...auditQuery(text) } }),
  },
  columns: (nowMs) => [
    {
      id: "action",
      title: "action",
      value: ({ action }) => action,
      priority: 0,
      pinned: true,
      minimum: 20,
    },
    {
      id: "outcome",
      title: "outcome",
      value: ({ outcome, code }) => (outcome === "done" ? outcome : `${outcome}: ${code ?? ""}`),
      token: ({ outcome }) => (outcome === "done" ? undefined : "warn"),
      priority: 1,
      minimum: 28,
    },
    {
      id: "who",
      title: "who",
      value: ({ actor, actorName }) => actorName ?? (actor === "" ? "anonymous" : actor),
      priority: 2,
      minimum: 16,
    },
    { id: "age", title: "when", value: ({ at }) => ageWords(at, nowMs), priority: 3 },
    { id: "address", title: "from", value: ({ address }) => address, priority: 4, minimum: 10 },
    {
      id: "request",
      title: "request",
      value: ({ requestId }) => requestId,
      priority: 5,
      minimum: 36,
    },
  ],
  copied: ({ requestId }) => requestId,
  command: (_, { filter }) => [["audit", "list"], auditQuery(filter.text)],
  empty: { words: "The audit log has no entries yet." },
});
