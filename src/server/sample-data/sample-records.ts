import type { JsonObject } from "#contract/values.ts";

/** The records of the sample workspaces, the same at every start. */

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

/** Applications after `lastDecided` are open; most of the older ones are decided. */
const openStatuses = ["consulting", "open", "received"] as const;
const lastDecided = 28;
const decisions = ["approved", "approved-with-conditions", "refused"] as const;
const tags = ["householder", "conservation-area", "flood-zone-2", "heritage", "highways"] as const;

function pick<Item>(items: readonly [Item, ...Item[]], index: number): Item {
  return items[index % items.length] ?? items[0];
}

/** The date this many days after 2026-01-05. */
function day(offset: number): string {
  return new Date(Date.UTC(2026, 0, 5 + offset)).toISOString().slice(0, 10);
}

const padded = (number: number): string => String(number).padStart(4, "0");

/** The applications of the sample documents, with the same facts. */
const knownApplications: Readonly<Record<number, JsonObject>> = {
  40: {
    address: "Millfield Allotments, Mill Lane, Northwind NW5 6MF",
    status: "consulting",
    officer: "j.lindqvist@northwind.example",
    applicant: "Northwind Allotment Society",
    received: "2026-08-17",
    due: "2026-11-27",
    fee: 293,
    dwellings: 0,
    listed: false,
    location: point(-2.9412, 53.4128),
    tags: ["allotments", "trees"],
    description:
      "A community shed of timber, 9 metres by 5 metres, and a polytunnel of 40 square metres, " +
      "with a tank for 5,000 litres of rainwater",
  },
  41: {
    address: "The Old Granary, Granary Lane, Northwind NW6 8GL",
    status: "decided",
    decision: "approved-with-conditions",
    officer: "j.lindqvist@northwind.example",
    applicant: "Tom Ashdown",
    received: "2026-08-06",
    due: "2026-10-05",
    decided: "2026-10-02",
    fee: 578,
    dwellings: 1,
    listed: false,
    location: point(-2.9087, 53.4265),
    tags: ["conversion", "wildlife"],
    description: "Conversion of a redundant granary to one dwelling, with a new access",
  },
  42: {
    address: "18 Quay Street, Northwind NW4 1QS",
    status: "open",
    officer: "m.okafor@northwind.example",
    applicant: "Harbour Lofts Ltd",
    received: "2026-09-11",
    due: "2026-12-18",
    fee: 6936,
    dwellings: 12,
    listed: false,
    location: point(-2.9561, 53.4043),
    tags: ["conservation-area", "flood-zone-2", "highways"],
    description:
      "Change of use of a former sail loft to twelve flats on the upper floors and a café on the " +
      "ground floor; four of the flats are affordable homes",
  },
};

function point(longitude: number, latitude: number): JsonObject {
  return { type: "Point", coordinates: [longitude, latitude] };
}

function statusOf(number: number): string {
  if (number > lastDecided) return pick(openStatuses, number);
  return number % 9 === 4 ? "withdrawn" : "decided";
}

function planningApplication(number: number): JsonObject {
  const known = knownApplications[number];
  const status = known?.["status"] ?? statusOf(number);
  const received = Math.floor(number * 5.6);
  return {
    reference: `PA-2026-${padded(number)}`,
    address: `${(number * 17) % 190 || 3} ${pick(streets, number * 5)}`,
    status,
    officer: pick(officers, number * 3 + Math.floor(number / 4)),
    applicant: pick(applicants, number * 4),
    received: day(received),
    due: day(received + 56),
    ...(status === "decided"
      ? { decision: pick(decisions, number), decided: day(received + 40) }
      : {}),
    fee: 258 + ((number * 137) % 40) * 51.5,
    dwellings: (number * 5) % 7,
    listed: number % 9 === 0,
    location: point(
      Number((-2.9 - ((number * 53) % 100) / 2200).toFixed(5)),
      Number((53.4 + ((number * 37) % 100) / 2500).toFixed(5)),
    ),
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

/** Cases for the newest applications, with the IDs of the created records. */
export function assessCases(
  applicationIds: readonly string[],
  requestIds: readonly string[],
): JsonObject[] {
  return applicationIds.map((application, index) => ({
    reference: `AC-2026-${padded(index + 1)}`,
    application,
    stage: pick(["validation", "consultation", "report", "closed"], index),
    assessor: pick(officers, index),
    opened: day(300 + index * 3),
    requests: requestIds.slice(index, index + (index % 3)),
  }));
}

/** The names of the portal for properties that an applicant sees. */
const portalFields = {
  reference: "reference",
  site: "address",
  status: "status",
  received: "received",
  decisionDue: "due",
  decision: "decision",
  proposal: "description",
};

/** The routes of the planning portal (`GET /v4/verticals/planning-portal`). */
const portalRoutes = [
  {
    method: "GET",
    path: "applications",
    summary: "Applications that are not withdrawn",
    type: "planning-application",
    where: { status: { $ne: "withdrawn" } },
    fields: portalFields,
  },
  {
    method: "GET",
    path: "applications/{reference}",
    summary: "One application by its reference",
    type: "planning-application",
    where: { status: { $ne: "withdrawn" } },
    fields: portalFields,
  },
  {
    method: "POST",
    path: "applications",
    summary: "Submit an application",
    type: "planning-application",
    where: { status: "received" },
    fields: { ...portalFields, applicant: "applicant" },
    body: {
      type: "object",
      required: ["reference", "site", "received", "applicant"],
      properties: {
        reference: { type: "string" },
        site: { type: "string", maxLength: 200 },
        received: { type: "string" },
        applicant: { type: "string", minLength: 1 },
        proposal: { type: "string" },
      },
      additionalProperties: false,
    },
  },
  {
    method: "POST",
    path: "applications/{reference}/decision",
    summary: "Decide an application",
    type: "planning-application",
    action: "decide",
    fields: portalFields,
  },
  {
    method: "POST",
    path: "questions",
    summary: "Ask the planning assistant",
    workflow: "planning-assistant",
  },
];

/** The records that store the app and its workflow (spec 2.9). */
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
    config: {
      documentLifecycle: "planning-assist-v1",
      classifierKey: "council-documents",
      routes: portalRoutes,
    },
  },
  "shared-ai-profile": {
    profile_key: "default",
    provider: "platform",
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

/** The register of 2026: holder, premises, kind, granted, expires, annual fee in pounds. */
const register = [
  ["The Anchor Inn Ltd", "3 Quay Street", "premises", "2026-01-12", "2027-01-11", 295],
  ["Rosa Delgado", "Harbour Square, pitch 4", "street-trading", "2026-01-20", "2026-12-31", 410],
  ["Northwind Taxis Ltd", "Station Yard", "private-hire", "2026-02-02", "2031-02-01", 820],
  ["Samir Haddad", "22 Market Street", "premises", "2026-02-16", "2027-02-15", 180],
  ["The Old Picture House Trust", "9 Castle Street", "premises", "2026-03-03", "2027-03-02", 315],
  ["Greta Holm", "1 Ropewalk", "animal-boarding", "2026-03-19", "2028-03-18", 244],
  ["Harbour Lights Café", "27 Quay Street", "premises", "2026-04-09", "2027-04-08", 180],
  ["Kestrel Scrap Metals Ltd", "Unit 5, Wend Road", "scrap-metal", "2026-04-27", "2029-04-26", 530],
  ["Ade Bakare", "Harbour Square, pitch 7", "street-trading", "2026-05-11", "2026-12-31", 410],
  [
    "St Brannock's Football Club",
    "Sports Ground, Mill Lane",
    "club",
    "2026-05-29",
    "2027-05-28",
    180,
  ],
  ["The Net Loft Theatre", "12 Chandlers Lane", "premises", "2026-06-15", "2027-06-14", 315],
  [
    "Wend Valley Brewery Ltd",
    "The Maltings, Granary Lane",
    "premises",
    "2026-07-06",
    "2027-07-05",
    635,
  ],
  ["Hana Novak", "16 Market Street", "skin-piercing", "2026-07-23", "2027-07-22", 158],
  ["Fairhaven Caravan Park Ltd", "Shore Road", "caravan-site", "2026-08-10", "2031-08-09", 475],
  ["Joseph Adeyemi", "Station Yard", "hackney-carriage", "2026-08-31", "2029-08-30", 262],
  ["Lantern Street Kitchen", "40 Castle Street", "premises", "2026-09-14", "2027-09-13", 295],
  ["The Seamen's Institute", "5 Harbour Square", "club", "2026-10-05", "2027-10-04", 180],
] as const;

/** The status by number of the licences that are no longer in force. */
const statuses: Readonly<Record<number, string>> = { 8: "lapsed", 14: "lapsed" };

/** `LIC-2026-0001` to `LIC-2026-0017`, as in the sample document "Licence register 2026". */
export const licences: readonly JsonObject[] = register.map(
  ([holder, premises, kind, granted, expires, annualFee], index) => ({
    reference: `LIC-2026-${String(index + 1).padStart(4, "0")}`,
    holder,
    premises,
    kind,
    status: statuses[index + 1] ?? "granted",
    granted,
    expires,
    annualFee,
  }),
);
