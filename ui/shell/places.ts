export const places = [
  { id: "resources", words: "Resources", intent: "goResources" },
  { id: "documents", words: "Documents", intent: "goDocuments" },
  { id: "jobs", words: "Jobs", intent: "goJobs" },
  { id: "chat", words: "Chat", intent: "goChat" },
  { id: "members", words: "Members", intent: "goMembers" },
  { id: "operations", words: "Operations", intent: "goOperations" },
  { id: "apps", words: "Apps", intent: "goApps" },
] as const satisfies readonly { id: string; words: string; intent: string }[];

export type Place = (typeof places)[number]["id"];

/** Notes at the places, e.g. the number of documents. */
export type PlaceCounts = Readonly<Partial<Record<Place, string>>>;
