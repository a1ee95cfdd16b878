import type { DomainHandlers } from "../../http/handler.ts";
import type { ClassifierService } from "./service.ts";

export function classifierHandlers({
  classifiers,
}: {
  readonly classifiers: ClassifierService;
}): DomainHandlers<"classifiers"> {
  return {
    list: ({ query }, { workspace }) => classifiers.list(workspace.id, query),
    get: ({ params }, { workspace }) => classifiers.get(workspace.id, params.classifierKey),
    put: ({ params, body }, { workspace, principal, ifMatch }) =>
      classifiers.put(
        principal,
        { workspaceId: workspace.id, key: params.classifierKey },
        body,
        ifMatch,
      ),
    delete: ({ params }, { workspace, ifMatch }) =>
      classifiers.delete({ workspaceId: workspace.id, key: params.classifierKey }, ifMatch),
    examples: ({ params, query }, { workspace }) =>
      classifiers.examples({ workspaceId: workspace.id, key: params.classifierKey }, query),
    addExamples: ({ params, body }, context) =>
      classifiers.addExamples(
        context.principal,
        { workspaceId: context.workspace.id, key: params.classifierKey },
        body.examples,
        (added) => context.remember(added),
      ),
    removeExample: ({ params }, { workspace, principal }) =>
      classifiers.removeExample(
        principal,
        { workspaceId: workspace.id, key: params.classifierKey },
        params.exampleId,
      ),
    train: ({ params }, { workspace, principal }) =>
      classifiers.train(principal, { workspaceId: workspace.id, key: params.classifierKey }),
    classify: async ({ params, body }, { workspace }) => {
      const key = params.classifierKey;
      const decided = await classifiers.classify({ workspaceId: workspace.id, key }, body.text);
      return { ...decided, classifier: key };
    },
  };
}
