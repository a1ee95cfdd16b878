import type { Intent } from "../kit/keys/key-table.ts";

/** The places of an open workspace, in the order in which they are listed. */
export const places = [
  { id: "resources", words: "Resources", intent: "goResources" },
  { id: "documents", words: "Documents", intent: "goDocuments" },
  { id: "jobs", words: "Jobs", intent: "goJobs" },
  { id: "chat", words: "Chat", intent: "goChat" },
  { id: "members", words: "Members", intent: "goMembers" },
  { id: "operations", words: "Operations", intent: "goOperations" },
] as const satisfies readonly { id: string; words: string; intent: Intent }[];

export type Place = (typeof places)[number]["id"];

/** What stands beside the places, e.g. how many documents there are. */
export type PlaceCounts = Readonly<Partial<Record<Place, string>>>;
