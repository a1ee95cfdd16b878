import type { ObjectTypeCreation } from "#contract/object-types.ts";
import type { PropertyDefinition } from "#contract/object-types/properties.ts";

/** A definition as a client writes it: links and actions are optional. */
export type Definition = Omit<ObjectTypeCreation, "linkTypes" | "actions"> &
  Partial<Pick<ObjectTypeCreation, "linkTypes" | "actions">>;

const reference = (pattern: string, description: string): PropertyDefinition => ({
  type: "string",
  required: true,
  unique: true,
  searchable: true,
  pattern,
  description,
});

export const planningTypes: readonly Definition[] = [
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
      },
      officer: { type: "email", indexed: true, description: "Case officer" },
      applicant: { type: "string", searchable: true, maxLength: 200 },
      received: { type: "date", required: true, indexed: true },
      due: { type: "date", indexed: true, description: "Statutory date of the decision" },
      decision: { type: "enum", enum: ["approved", "refused", "approved-with-conditions"] },
      decided: { type: "date", description: "Date of the decision" },
      fee: { type: "number", minimum: 0, indexed: true, description: "In pounds" },
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
      status: { type: "enum", required: true, indexed: true, enum: ["new", "open", "closed"] },
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
        description: "The application that is assessed",
      },
      stage: {
        type: "enum",
        required: true,
        indexed: true,
        enum: ["validation", "consultation", "report", "closed"],
      },
      assessor: { type: "email" },
      opened: { type: "date", required: true },
    },
    linkTypes: [{ name: "requests", targetObjectType: "business-request", cardinality: "many" }],
  },
];

export const licensingTypes: readonly Definition[] = [
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
      },
      granted: { type: "date" },
      expires: { type: "date", indexed: true },
      annualFee: { type: "number", minimum: 0 },
    },
  },
];

const key: PropertyDefinition = { type: "string", required: true, maxLength: 255 };
const settings: PropertyDefinition = { type: "object" };

/** The types of the records that store workflows and apps (spec 2.9). */
export const workflowTypes: readonly Definition[] = [
  {
    name: "SharedWorkflowConfig",
    slug: "shared-workflow-config",
    displayName: "Workflow",
    properties: {
      workflow_key: { ...key, unique: true },
      display_name: { type: "string" },
      status: { type: "enum", required: true, enum: ["active", "draft"] },
      usecase: { type: "string" },
      stages: { type: "array", items: { type: "object" }, maxItems: 50 },
      config: settings,
    },
  },
  {
    name: "VerticalProductConfig",
    slug: "vertical-product-config",
    displayName: "Workflow-to-app binding",
    properties: {
      vertical_key: key,
      workflow_key: key,
      status: { type: "enum", required: true, enum: ["active", "draft"] },
      config: settings,
    },
  },
  {
    name: "SharedAiProfile",
    slug: "shared-ai-profile",
    displayName: "AI profile",
    properties: {
      profile_key: { ...key, unique: true },
      provider: { type: "string" },
      model: { type: "string" },
      config: settings,
    },
  },
  {
    name: "SharedChatbotConfig",
    slug: "shared-chatbot-config",
    displayName: "Chat assistant",
    properties: {
      chatbot_key: { ...key, unique: true },
      workflow_key: key,
      greeting: { type: "text" },
      config: settings,
    },
  },
  {
    name: "TenantVerticalEnrollment",
    slug: "tenant-vertical-enrollment",
    displayName: "App enrollment",
    properties: {
      vertical_key: { ...key, unique: true },
      display_name: { type: "string" },
      status: { type: "string", required: true },
      app_url: { type: "url" },
      source: { type: "string" },
    },
  },
];
