/** The places in the order of the header, each with its key; `short` is for a narrow header. */
export const places = [
  { id: "home", key: "0", words: "Home", short: "Home", intent: "goHome" },
  { id: "resources", key: "1", words: "Resources", short: "Recs", intent: "goResources" },
  { id: "documents", key: "2", words: "Documents", short: "Docs", intent: "goDocuments" },
  { id: "jobs", key: "3", words: "Jobs", short: "Jobs", intent: "goJobs" },
  { id: "chat", key: "4", words: "Chat", short: "Chat", intent: "goChat" },
  { id: "members", key: "5", words: "Members", short: "Team", intent: "goMembers" },
  { id: "operations", key: "6", words: "Operations", short: "Ops", intent: "goOperations" },
  { id: "apps", key: "7", words: "Apps", short: "Apps", intent: "goApps" },
  { id: "webhooks", key: "8", words: "Webhooks", short: "Hook", intent: "goWebhooks" },
  { id: "alerts", key: "9", words: "Alerts", short: "Alert", intent: "goAlerts" },
  { id: "geo", key: "-", words: "Geo", short: "Geo", intent: "goGeo" },
] as const satisfies readonly {
  id: string;
  key: string;
  words: string;
  short: string;
  intent: string;
}[];

export type Place = (typeof places)[number]["id"];

/** Places with a key that are listed only while they have a badge. */
export const quietPlaces = [
  { id: "archives", key: "=", words: "Archives", short: "Arch" },
] as const;

/** A place that can have the badge of its failures. */
export type BadgePlace = Place | (typeof quietPlaces)[number]["id"];

/** Notes at the places, e.g. the number of documents. */
export type PlaceCounts = Readonly<Partial<Record<Place, string>>>;
