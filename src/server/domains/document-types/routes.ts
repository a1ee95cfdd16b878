import type { DomainHandlers } from "../../http/handler.ts";
import { learnRules } from "./learn-rules.ts";
import type { DocumentTypeService } from "./service.ts";

export function documentTypeHandlers({
  documentTypes: types,
}: {
  readonly documentTypes: DocumentTypeService;
}): DomainHandlers<"documentTypes"> {
  return {
    list: ({ query }, { work, workspace }) => types.list(work, workspace.id, query),
    get: ({ params: { typeKey: key } }, { work, workspace }) =>
      types.get(work, { workspaceId: workspace.id, key }),
    put: ({ params: { typeKey: key }, body }, { work, workspace, ifMatch }) =>
      types.put(work, { workspaceId: workspace.id, key }, body, ifMatch),
    delete: ({ params: { typeKey: key } }, { work, workspace, ifMatch }) =>
      types.delete(work, { workspaceId: workspace.id, key }, ifMatch),
    listAnalyzers: ({ query }, { work, workspace }) =>
      types.listAnalyzers(work, workspace.id, query),
    getAnalyzer: ({ params: { analyzerKey: key } }, { work, workspace }) =>
      types.getAnalyzer(work, { workspaceId: workspace.id, key }),
    putAnalyzer: ({ params: { analyzerKey: key }, body }, { work, workspace, ifMatch }) =>
      types.putAnalyzer(work, { workspaceId: workspace.id, key }, body, ifMatch),
    learnRules: ({ body }, { work, workspace }) => learnRules(work, workspace.id, body),
    deleteAnalyzer: ({ params: { analyzerKey: key } }, { work, workspace, ifMatch }) =>
      types.deleteAnalyzer(work, { workspaceId: workspace.id, key }, ifMatch),
  };
}
