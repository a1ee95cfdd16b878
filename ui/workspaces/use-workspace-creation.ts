import type { Client, JsonObject, Membership } from "#client/index.ts";
import { pointer } from "#lib/json/pointer.ts";
import {
  defaultStarterTemplate,
  homeRegions,
  usecases,
} from "#contract/workspaces/workspace-values.ts";
import type { FormField } from "../kit/forms/form-field.ts";
import { initialData } from "../kit/forms/form-model.ts";
import { useForms } from "../shell/forms/forms.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useCommandLines } from "../shell/use-copy.ts";

const line = { kind: "line", choices: [], target: undefined, fallback: undefined } as const;

const fields: readonly FormField[] = [
  { ...line, name: "displayName", label: "name", isRequired: true, hint: "text" },
  {
    ...line,
    name: "slug",
    label: "slug",
    isRequired: true,
    hint: "kebab-case, unique below the parent",
  },
  {
    ...line,
    name: "usecase",
    label: "usecase",
    kind: "choice",
    choices: usecases.map((value) => ({ text: value, value })),
    isRequired: true,
    hint: "one of its choices, by ← → or its first letters",
    fallback: "generic",
  },
  { ...line, name: "industry", label: "industry", isRequired: false, hint: "text" },
  { ...line, name: "domain", label: "domain", isRequired: false, hint: "one domain" },
  {
    ...line,
    name: "starterTemplate",
    label: "starter template",
    isRequired: true,
    hint: "its Object Types; empty-template has none",
    fallback: defaultStarterTemplate,
  },
];

/** A child has the region of its parent. */
const rootFields: readonly FormField[] = [
  ...fields,
  {
    ...line,
    name: "homeRegion",
    label: "home region",
    kind: "choice",
    choices: homeRegions.map((value) => ({ text: value, value })),
    isRequired: true,
    hint: "one of its choices, by ← → or its first letters",
    fallback: homeRegions[0],
  },
];

const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

function faultsOf({ slug }: JsonObject) {
  return typeof slug === "string" && slugPattern.test(slug)
    ? []
    : [{ pointer: pointer("slug"), detail: "must be in kebab-case" }];
}

function textIn(data: JsonObject, name: string): string | undefined {
  const value = data[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

interface CreatedBy {
  readonly client: Client;
  readonly parent: Membership | undefined;
  readonly idempotencyKey: string;
}

/** Creates a workspace below a parent, with its creator as its admin, or a root. */
async function createWorkspace(data: JsonObject, { client, parent, idempotencyKey }: CreatedBy) {
  const { workspaces } = client;
  const body = {
    displayName: textIn(data, "displayName") ?? "",
    slug: textIn(data, "slug") ?? "",
    usecase: usecases.find((usecase) => usecase === data["usecase"]),
    industry: textIn(data, "industry"),
    domain: textIn(data, "domain"),
    starterTemplate: textIn(data, "starterTemplate"),
  };
  if (parent === undefined) {
    const [first] = homeRegions;
    const homeRegion = homeRegions.find((region) => region === data["homeRegion"]) ?? first;
    return await workspaces.createRoot({ body: { ...body, homeRegion }, idempotencyKey });
  }
  const params = { parentId: parent.id };
  const child = await workspaces.createChild({ params, body, idempotencyKey });
  await workspaces.bootstrapAdmin({ params: { ...params, childId: child.id } });
  return child;
}

/** Opens the form for a new workspace below another; one without a parent is entered. */
export function useWorkspaceCreation(
  onChanged: () => void,
  enter: (root: Membership) => void,
): (parent: Membership | undefined) => void {
  const { client } = usePlatform();
  const forms = useForms();
  const commands = useCommandLines();
  return (parent) => {
    if (client === undefined) return;
    const save = async (data: JsonObject, idempotencyKey: string): Promise<string> => {
      const created = await createWorkspace(data, { client, parent, idempotencyKey });
      if (parent !== undefined) return `created ${created.slug} below ${parent.slug}`;
      enter(created);
      return `created ${created.slug}`;
    };
    const shown = parent === undefined ? rootFields : fields;
    forms.open({
      title: parent === undefined ? "New workspace" : `New workspace below ${parent.slug}`,
      subject: { fields: shown, data: initialData(shown), check: faultsOf },
      save: (data, { idempotencyKey }) => save(data, idempotencyKey).finally(onChanged),
      command: (data) =>
        commands.onPlatform(["workspace", "create"], {
          name: textIn(data, "displayName"),
          slug: textIn(data, "slug"),
          ...(parent === undefined
            ? { "allow-root": true, "home-region": textIn(data, "homeRegion") }
            : { parent: parent.id }),
          usecase: textIn(data, "usecase"),
          industry: textIn(data, "industry"),
          domain: textIn(data, "domain"),
          "starter-template": textIn(data, "starterTemplate"),
        }),
    });
  };
}
