/** The places by the digit of their key; `short` is for a narrow header. */
export const places = [
  { id: "home", words: "Home", short: "Home", intent: "goHome" },
  { id: "resources", words: "Resources", short: "Records", intent: "goResources" },
  { id: "documents", words: "Documents", short: "Docs", intent: "goDocuments" },
  { id: "jobs", words: "Jobs", short: "Jobs", intent: "goJobs" },
  { id: "chat", words: "Chat", short: "Chat", intent: "goChat" },
  { id: "members", words: "Members", short: "Team", intent: "goMembers" },
  { id: "operations", words: "Operations", short: "Ops", intent: "goOperations" },
  { id: "apps", words: "Apps", short: "Apps", intent: "goApps" },
  { id: "webhooks", words: "Webhooks", short: "Hooks", intent: "goWebhooks" },
  { id: "alerts", words: "Alerts", short: "Alerts", intent: "goAlerts" },
] as const satisfies readonly { id: string; words: string; short: string; intent: string }[];

export type Place = (typeof places)[number]["id"];

/** Notes at the places, e.g. the number of documents. */
export type PlaceCounts = Readonly<Partial<Record<Place, string>>>;
