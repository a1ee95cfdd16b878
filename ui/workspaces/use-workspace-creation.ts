import { useCommandLines } from "../shell/use-copy.ts";
import type { JsonObject, Membership } from "#client/index.ts";
import { pointer } from "#contract/problems.ts";
import { defaultStarterTemplate, usecases } from "#contract/workspaces/workspace-values.ts";
import type { FormField } from "../kit/forms/form-field.ts";
import { initialData } from "../kit/forms/form-model.ts";
import { useForms } from "../shell/forms/forms.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";

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

/** Opens the form for a new workspace below another; its creator becomes its admin. */
export function useWorkspaceCreation(onChanged: () => void): (parent: Membership) => void {
  const { client } = usePlatform();
  const forms = useForms();
  const commands = useCommandLines();
  return (parent) => {
    if (client === undefined) return;
    const save = async (data: JsonObject, idempotencyKey: string): Promise<string> => {
      const { workspaces } = client;
      const child = await workspaces.createChild({
        params: { parentId: parent.id },
        body: {
          displayName: textIn(data, "displayName") ?? "",
          slug: textIn(data, "slug") ?? "",
          usecase: usecases.find((usecase) => usecase === data["usecase"]),
          industry: textIn(data, "industry"),
          domain: textIn(data, "domain"),
          starterTemplate: textIn(data, "starterTemplate"),
        },
        idempotencyKey,
      });
      await workspaces.bootstrapAdmin({ params: { parentId: parent.id, childId: child.id } });
      return `created ${child.slug} below ${parent.slug}`;
    };
    forms.open({
      title: `New workspace below ${parent.slug}`,
      subject: { fields, data: initialData(fields), check: faultsOf },
      save: (data, { idempotencyKey }) => save(data, idempotencyKey).finally(onChanged),
      command: (data) =>
        commands.onPlatform(["workspace", "create"], {
          name: textIn(data, "displayName"),
          slug: textIn(data, "slug"),
          parent: parent.id,
          usecase: textIn(data, "usecase"),
          industry: textIn(data, "industry"),
          domain: textIn(data, "domain"),
          "starter-template": textIn(data, "starterTemplate"),
        }),
    });
  };
}
