/** The audit log of the fake platform, filtered as the real one. */

const entries = [
  { action: "members.setRole", outcome: "done", actorName: "ada@northwind.example" },
  {
    action: "members.remove",
    outcome: "refused",
    code: "permission-denied",
    actorName: "ben@northwind.example",
  },
  { action: "resources.create", outcome: "done", actorName: "ada@northwind.example" },
];

export function auditAnswer(query: URLSearchParams): object {
  const [outcome, action] = [query.get("outcome"), query.get("action")];
  const items = entries
    .map((entry, index) => ({
      ...entry,
      sequence: entries.length - index,
      at: new Date(Date.now() - index * 60_000).toISOString(),
      requestId: `request-${index}`,
      actor: "u1",
      status: entry.outcome === "done" ? 200 : 403,
      method: "POST",
      path: "/v4",
      address: "127.0.0.1",
      digest: "d",
    }))
    .filter((entry) => outcome === null || entry.outcome === outcome)
    .filter((entry) => action === null || entry.action === action);
  return { items, hasNextPage: false, total: items.length };
}
