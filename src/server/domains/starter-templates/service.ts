import { objectTypeCreation, type ObjectTypeCreation } from "#contract/object-types.ts";
import { Refusal } from "#contract/problems.ts";
import type { StarterTemplate } from "#contract/starter-templates.ts";
import { faultAt, invalid } from "../../http/faults.ts";
import { blankVerticalTemplate } from "./blank-vertical.ts";
import type { Template } from "./template.ts";

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
