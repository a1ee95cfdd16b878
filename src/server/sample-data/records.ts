import type { JsonObject } from "#contract/values.ts";

/** The records of the sample workspaces: made up, the same at every start. */

const officers = [
  "m.okafor@northwind.example",
  "j.lindqvist@northwind.example",
  "p.sharma@northwind.example",
  "e.hughes@northwind.example",
] as const;

const streets = [
  "Quay Street",
  "Chandlers Lane",
  "Mill Road",
  "Station Approach",
  "Orchard Close",
  "Harbour Terrace",
  "Church Lane",
  "Beacon Hill",
  "Tannery Row",
  "Westgate",
  "Saltmarsh Drive",
  "Kiln Lane",
  "Rope Walk",
] as const;

const applicants = [
  "Adeyemi & Sons Builders",
  "Beth Carrington",
  "Coastline Homes Ltd",
  "Dmitri Volkov",
  "Evans Family Trust",
  "Fatima Rahman",
  "Greenfield Housing Association",
  "Hannah Sørensen",
  "Isla McRae",
  "José Álvarez",
  "Kestrel Developments",
] as const;

const works = [
  "Single-storey rear extension with a flat roof and two roof lights",
  "Loft conversion with a rear dormer",
  "Change of use from shop to café with outdoor seating",
  "Demolition of a garage and erection of a two-bedroom dwelling",
  "Replacement of timber windows in a conservation area",
  "Installation of twelve solar panels on the south roof slope",
  "Widening of the vehicular access and a new dropped kerb",
  "Felling of one ash tree with dieback and replanting",
  "Erection of a bicycle store for twenty bicycles",
] as const;

const statuses = ["received", "open", "consulting", "decided", "withdrawn"] as const;
const decisions = ["approved", "approved-with-conditions", "refused"] as const;
const tags = ["householder", "conservation-area", "flood-zone-2", "heritage", "highways"] as const;

function pick<Item>(items: readonly [Item, ...Item[]], index: number): Item {
  return items[index % items.length] ?? items[0];
}

/** `2026-01-05` plus so many days. */
function day(offset: number): string {
  return new Date(Date.UTC(2026, 0, 5 + offset)).toISOString().slice(0, 10);
}

const padded = (number: number): string => String(number).padStart(4, "0");

/** The cases that the sample documents tell of; what they say agrees with those. */
const knownApplications: Readonly<Record<number, JsonObject>> = {
  40: {
    address: "Millfield Allotments, Mill Road",
    status: "open",
    applicant: "Millfield Allotment Society",
    fee: 293,
    description: "Erection of a communal timber shed with a water tank",
  },
  41: {
    address: "The Old Granary, Tannery Row",
    status: "decided",
    decision: "approved-with-conditions",
    listed: true,
    description: "Conversion of a listed granary into dwellings",
  },
  42: {
    address: "18 Quay Street",
    status: "consulting",
    description: "Redevelopment of a former boatyard with homes and a shop on the ground floor",
  },
};

function planningApplication(number: number): JsonObject {
  const known = knownApplications[number];
  const status = known?.["status"] ?? pick(statuses, number * 7 + Math.floor(number / 3));
  return {
    reference: `PA-2026-${padded(number)}`,
    address: `${(number * 17) % 190 || 3} ${pick(streets, number * 5)}`,
    status,
    officer: pick(officers, number * 3 + Math.floor(number / 4)),
    applicant: pick(applicants, number * 4),
    received: day(number * 7),
    due: day(number * 7 + 56),
    ...(status === "decided" ? { decision: pick(decisions, number) } : {}),
    fee: 258 + ((number * 137) % 40) * 51.5,
    dwellings: (number * 5) % 7,
    listed: number % 9 === 0,
    location: {
      type: "Point",
      coordinates: [
        Number((-2.9 - ((number * 53) % 100) / 2200).toFixed(5)),
        Number((53.4 + ((number * 37) % 100) / 2500).toFixed(5)),
      ],
    },
    tags: tags.filter((_, index) => (number + index) % 3 === 0),
    description: pick(works, number * 2),
    ...known,
  };
}

/** `PA-2026-0001` to `PA-2026-0042`, oldest first. */
export const planningApplications: readonly JsonObject[] = Array.from({ length: 42 }, (_, index) =>
  planningApplication(index + 1),
);

const requests = [
  ["Harbour Lights Café", "Pavement seating for the summer"],
  ["Northwind Cycles", "Temporary advertising board"],
  ["Saltmarsh Brewery", "Extended delivery hours"],
  ["Beacon Books", "Street closure for a book fair"],
  ["Kiln Lane Pottery", "Business rates relief"],
] as const;

export const businessRequests: readonly JsonObject[] = requests.map(
  ([business, subject], index) => ({
    reference: `BR-2026-${padded(index + 1)}`,
    business,
    subject,
    status: pick(["new", "open", "closed"], index),
    contact: `hello@${business.toLowerCase().replace(/[^a-z]/g, "")}.example`,
    received: day(40 + index * 31),
  }),
);

/** Cases for the newest applications; `application` is the ID that the record was given. */
export function assessCases(applicationIds: readonly string[]): JsonObject[] {
  return applicationIds.map((application, index) => ({
    reference: `AC-2026-${padded(index + 1)}`,
    application,
    stage: pick(["validation", "consultation", "report", "closed"], index),
    assessor: pick(officers, index),
    opened: day(300 + index * 3),
  }));
}

const kinds = ["premises", "street-trading", "taxi", "animal-boarding"] as const;

/** `LIC-2026-0001` to `LIC-2026-0017`; number 7 is the one the licence register names. */
export const licences: readonly JsonObject[] = Array.from({ length: 17 }, (_, index) => {
  const number = index + 1;
  const status = pick(["granted", "granted", "applied", "lapsed"], number);
  return {
    reference: `LIC-2026-${padded(number)}`,
    holder: number === 7 ? "Harbour Lights Café" : pick(applicants, number * 3),
    premises: `${number * 3} ${pick(streets, number * 2)}`,
    kind: number === 7 ? "premises" : pick(kinds, number),
    status: number === 7 ? "granted" : status,
    ...(status === "applied" && number !== 7 ? {} : { granted: day(number * 9) }),
    expires: day(number * 9 + 365),
    annualFee: 70 + ((number * 3) % 9) * 35,
  };
});

/** The app and its workflow, as the records that hold them (spec 2.9). */
export const workflowRecords: Readonly<Record<string, JsonObject>> = {
  "shared-workflow-config": {
    workflow_key: "planning-assistant",
    display_name: "Planning assistant",
    status: "active",
    usecase: "council",
    stages: [{ id: "chat", display_name: "Chat" }],
    config: {},
  },
  "vertical-product-config": {
    vertical_key: "planning-portal",
    workflow_key: "planning-assistant",
    status: "active",
    config: { documentLifecycle: "planning-assist-v1" },
  },
  "shared-ai-profile": {
    profile_key: "default",
    provider: "none",
    model: "extractive",
    config: {},
  },
  "shared-chatbot-config": {
    chatbot_key: "planning-assistant",
    workflow_key: "planning-assistant",
    greeting: "Ask about planning applications and their documents.",
    config: {},
  },
  "tenant-vertical-enrollment": {
    vertical_key: "planning-portal",
    display_name: "Planning portal",
    status: "active",
    app_url: "https://planning.northwind.example",
    source: "sample-data",
  },
};

/** Colleagues of the first user, one of each role. */
export const members = [
  { email: "v.ward@northwind.example", role: "tenant-viewer", firstName: "Vera", lastName: "Ward" },
  {
    email: "m.okafor@northwind.example",
    role: "tenant-staff",
    firstName: "Mercy",
    lastName: "Okafor",
  },
  {
    email: "j.lindqvist@northwind.example",
    role: "tenant-builder",
    firstName: "Jonas",
    lastName: "Lindqvist",
  },
  {
    email: "e.hughes@northwind.example",
    role: "tenant-admin",
    firstName: "Elin",
    lastName: "Hughes",
  },
] as const;
