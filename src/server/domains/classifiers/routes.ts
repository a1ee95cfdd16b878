import type { DomainHandlers, WorkspaceContext } from "../../http/handler.ts";
import type { ClassifierService } from "./service.ts";

export function classifierHandlers({
  classifiers,
}: {
  readonly classifiers: ClassifierService;
}): DomainHandlers<"classifiers"> {
  return {
    list: ({ query }, { work, workspace }) => classifiers.list(work, workspace.id, query),
    get: ({ params }, context) => classifiers.get(context.work, placeOf(params, context)),
    put: ({ params, body }, context) =>
      classifiers.put(context.work, placeOf(params, context), body, context.ifMatch),
    delete: ({ params }, context) =>
      classifiers.delete(context.work, placeOf(params, context), context.ifMatch),
    examples: ({ params, query }, context) =>
      classifiers.examples(context.work, placeOf(params, context), query),
    addExamples: ({ params, body }, context) =>
      classifiers.addExamples(context.work, placeOf(params, context), body.examples),
    removeExample: ({ params }, context) =>
      classifiers.removeExample(context.work, placeOf(params, context), params.exampleId),
    train: ({ params }, context) => classifiers.train(context.work, placeOf(params, context)),
    classify: async ({ params, body }, context) => {
      const place = placeOf(params, context);
      const decided = await classifiers.classify(context.work, place, body.text);
      return { ...decided, classifier: place.key };
    },
  };
}

function placeOf(
  { classifierKey: key }: { readonly classifierKey: string },
  { workspace }: WorkspaceContext,
): { readonly workspaceId: string; readonly key: string } {
  return { workspaceId: workspace.id, key };
}
