import type { DomainHandlers } from "../../http/handler.ts";
import type { StarterTemplates } from "./service.ts";

export function starterTemplateHandlers({
  starterTemplates,
}: {
  readonly starterTemplates: StarterTemplates;
}): DomainHandlers<"starterTemplates"> {
  return {
    list: () => ({
      items: starterTemplates.list().map(({ objectTypes, ...template }) => ({
        ...template,
        objectTypes: objectTypes.map(({ slug }) => slug),
      })),
    }),
    read: ({ params }) => starterTemplates.read(params.key),
  };
}
