import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import type { ObjectTypeDraft } from "#contract/object-types/object-types.ts";

const reference = (pattern: string, description: string): PropertyDefinition => ({
  type: "string",
  required: true,
  unique: true,
  searchable: true,
  meaning: "title",
  pattern,
  description,
});

export const planningTypes: readonly ObjectTypeDraft[] = [
  {
    name: "PlanningApplication",
    slug: "planning-application",
    displayName: "Planning application",
    description: "A request for planning permission, from receipt to decision",
    properties: {
      reference: reference("^PA-[0-9]{4}-[0-9]{4}$", "The council's number of the application"),
      address: { type: "string", required: true, searchable: true, maxLength: 200 },
      status: {
        type: "enum",
        required: true,
        indexed: true,
        enum: ["received", "open", "consulting", "decided", "withdrawn"],
        meaning: "status",
        closed: ["decided", "withdrawn"],
      },
      officer: { type: "email", indexed: true, description: "Case officer" },
      applicant: { type: "string", searchable: true, maxLength: 200 },
      received: { type: "date", required: true, indexed: true },
      due: {
        type: "date",
        indexed: true,
        meaning: "due",
        description: "Statutory date of the decision",
      },
      decision: { type: "enum", enum: ["approved", "refused", "approved-with-conditions"] },
      decided: { type: "date", description: "Date of the decision" },
      fee: { type: "number", minimum: 0, indexed: true, meaning: "money", currency: "GBP" },
      dwellings: { type: "integer", minimum: 0 },
      listed: { type: "boolean", default: false, description: "A listed building is affected" },
      location: { type: "geopoint" },
      tags: { type: "array", items: { type: "string", maxLength: 50 }, maxItems: 20 },
      description: { type: "text", searchable: true },
      plans: { type: "file", accept: ["application/pdf"], description: "Submitted plans" },
    },
    actions: [
      {
        name: "decide",
        displayName: "Decide",
        requires: "tenant-staff",
        parameters: {
          decision: {
            type: "enum",
            required: true,
            enum: ["approved", "refused", "approved-with-conditions"],
          },
        },
        transition: { property: "status", from: ["open", "consulting"], to: "decided" },
        set: { decision: { $parameter: "decision" } },
      },
    ],
  },
  {
    name: "BusinessRequest",
    slug: "business-request",
    displayName: "Business request",
    description: "A request by a business that is no planning application",
    properties: {
      reference: reference("^BR-[0-9]{4}-[0-9]{4}$", "The council's number of the request"),
      business: { type: "string", required: true, searchable: true, maxLength: 200 },
      subject: { type: "string", required: true, searchable: true, maxLength: 200 },
      status: {
        type: "enum",
        required: true,
        indexed: true,
        enum: ["new", "open", "closed"],
        meaning: "status",
        closed: ["closed"],
      },
      contact: { type: "email" },
      received: { type: "date", required: true },
    },
  },
  {
    name: "AssessCase",
    slug: "assess-case",
    displayName: "Assessment case",
    description: "The assessment of one planning application",
    properties: {
      reference: reference("^AC-[0-9]{4}-[0-9]{4}$", "The council's number of the case"),
      application: {
        type: "reference",
        targetObjectType: "planning-application",
        onDelete: "cascade",
        description: "The application that is assessed",
      },
      stage: {
        type: "enum",
        required: true,
        indexed: true,
        enum: ["validation", "consultation", "report", "closed"],
        meaning: "status",
        closed: ["closed"],
      },
      assessor: { type: "email" },
      opened: { type: "date", required: true },
    },
    linkTypes: [
      {
        name: "requests",
        targetObjectType: "business-request",
        cardinality: "many",
        onDelete: "clear",
      },
    ],
  },
];

export const licensingTypes: readonly ObjectTypeDraft[] = [
  {
    name: "Licence",
    slug: "licence",
    displayName: "Licence",
    description: "A licence that the council has granted or is asked for",
    properties: {
      reference: reference("^LIC-[0-9]{4}-[0-9]{4}$", "The council's number of the licence"),
      holder: { type: "string", required: true, searchable: true, maxLength: 200 },
      premises: { type: "string", searchable: true, maxLength: 200 },
      kind: {
        type: "enum",
        required: true,
        indexed: true,
        enum: [
          "premises",
          "club",
          "street-trading",
          "private-hire",
          "hackney-carriage",
          "animal-boarding",
          "scrap-metal",
          "skin-piercing",
          "caravan-site",
        ],
      },
      status: {
        type: "enum",
        required: true,
        indexed: true,
        enum: ["applied", "granted", "lapsed"],
        meaning: "status",
        closed: ["lapsed"],
      },
      granted: { type: "date" },
      expires: { type: "date", indexed: true },
      annualFee: { type: "number", minimum: 0, meaning: "money", currency: "GBP" },
    },
  },
];
