import { configurationTypes } from "#contract/access/configuration-types.ts";
import {
  objectTypeCreation,
  type ObjectTypeCreation,
  type ObjectTypeDraft,
} from "#contract/object-types/object-types.ts";
import { Refusal } from "#contract/problems.ts";
import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import type { StarterTemplate } from "#contract/workspaces/starter-templates.ts";
import { defaultStarterTemplate, usecases } from "#contract/workspaces/workspace-values.ts";
import { faultAt, invalid } from "../../kit/faults.ts";

/** A starter template as its file has it. */
export interface Template {
  readonly key: string;
  readonly displayName: string;
  readonly description: string;
  readonly objectTypes: readonly ObjectTypeDraft[];
}

const key: PropertyDefinition = { type: "string", required: true, indexed: true, maxLength: 128 };
const uniqueKey: PropertyDefinition = { ...key, unique: true };
const name: PropertyDefinition = { type: "string", searchable: true, maxLength: 200 };
/** Settings of a deployment, which differ between products. */
const settings: PropertyDefinition = { type: "object" };
const workflowStatus: PropertyDefinition = {
  type: "enum",
  required: true,
  indexed: true,
  enum: ["active", "draft"],
  default: "active",
};

/** The types of the records that store workflows and apps (spec 2.9). */
export const blankVerticalTemplate: Template = {
  key: defaultStarterTemplate,
  displayName: "Blank vertical",
  description: "The types that store apps, workflows, AI profiles and chat assistants",
  objectTypes: [
    {
      name: "SharedWorkflowConfig",
      slug: configurationTypes.workflow,
      displayName: "Workflow",
      description: "A workflow with its stages",
      properties: {
        workflow_key: { ...uniqueKey, description: "The key that chat and uploads name" },
        display_name: name,
        status: workflowStatus,
        usecase: { type: "enum", enum: [...usecases], default: "generic" },
        scope_key: { type: "string", indexed: true, maxLength: 200 },
        stages: {
          type: "array",
          maxItems: 50,
          items: { type: "object" },
          description: "In their order, each with its id, display name and prompt",
        },
        ai_profile_key: { type: "string", maxLength: 128 },
        chatbot_key: { type: "string", maxLength: 128 },
        config: {
          ...settings,
          description: "requiredPlan: the plan that an app needs; questionsPerDay: a limit",
        },
      },
    },
    {
      name: "VerticalProductConfig",
      slug: configurationTypes.binding,
      displayName: "Workflow-to-app binding",
      description: "Binds a workflow to an app; config.documentLifecycle chooses the lifecycle",
      properties: {
        vertical_key: { ...key, description: "The key of the app" },
        workflow_key: key,
        display_name: name,
        status: workflowStatus,
        scope_key: { type: "string", maxLength: 200 },
        config: settings,
      },
    },
    {
      name: "SharedAiProfile",
      slug: configurationTypes.aiProfile,
      displayName: "AI profile",
      description: "The provider and the model that generate answers",
      properties: {
        profile_key: uniqueKey,
        display_name: name,
        status: workflowStatus,
        provider: { type: "string", maxLength: 100 },
        model: { type: "string", maxLength: 200 },
        config: settings,
      },
    },
    {
      name: "SharedChatbotConfig",
      slug: configurationTypes.chatbot,
      displayName: "Chat assistant",
      description: "The assistant of a workflow and its prompts",
      properties: {
        chatbot_key: uniqueKey,
        workflow_key: key,
        display_name: name,
        status: workflowStatus,
        greeting: { type: "text" },
        ai_profile_key: { type: "string", maxLength: 128 },
        prompts: { type: "object", description: "Prompts by the id of their stage" },
        config: settings,
      },
    },
    {
      name: "TenantVerticalEnrollment",
      slug: configurationTypes.enrollment,
      displayName: "App enrollment",
      description: "An app of this workspace",
      properties: {
        vertical_key: { ...uniqueKey, description: "The key of the app" },
        display_name: name,
        status: {
          type: "string",
          required: true,
          indexed: true,
          maxLength: 50,
          default: "pending",
        },
        template: { type: "string", maxLength: 100 },
        app_url: { type: "url" },
        source: { type: "string", maxLength: 100 },
        runtime_tenant_id: {
          type: "string",
          indexed: true,
          maxLength: 36,
          description: "The workspace in which the app runs, when it is not this one",
        },
        config: { ...settings, description: "plan: compared with requiredPlan of workflows" },
      },
    },
  ],
};

const emptyTemplate: Template = {
  key: "empty-template",
  displayName: "Empty",
  description: "No Object Types",
  objectTypes: [],
};

const templates: readonly Template[] = [blankVerticalTemplate, emptyTemplate];

/** The templates of new workspaces (spec 2.1). */
export class StarterTemplates {
  readonly #parsed = new Map<string, readonly ObjectTypeCreation[]>();

  list(): readonly Template[] {
    return templates;
  }

  read(key: string): StarterTemplate {
    const template = templates.find((each) => each.key === key);
    if (template !== undefined) return { ...template, objectTypes: [...this.#typesOf(template)] };
    const known = templates.map((each) => each.key).join(", ");
    throw new Refusal("not-found", {
      detail: `Cannot find the starter template "${key}": the templates are ${known}`,
    });
  }

  /** The definitions for a new workspace. Refuses an unknown key with its pointer. */
  typesFor(key: string): readonly ObjectTypeCreation[] {
    const template = templates.find((each) => each.key === key);
    if (template !== undefined) return this.#typesOf(template);
    const known = templates.map((each) => each.key).join(", ");
    throw invalid([faultAt("body", ["starterTemplate"], `must be one of ${known}`)]);
  }

  #typesOf({ key, objectTypes }: Template): readonly ObjectTypeCreation[] {
    let parsed = this.#parsed.get(key);
    if (parsed === undefined) {
      parsed = objectTypes.map((each) => objectTypeCreation.parse(each));
      this.#parsed.set(key, parsed);
    }
    return parsed;
  }
}
