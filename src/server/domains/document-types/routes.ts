import type { DomainHandlers } from "../../http/handler.ts";
import type { DocumentTypeService } from "./service.ts";

export function documentTypeHandlers({
  documentTypes,
}: {
  readonly documentTypes: DocumentTypeService;
}): DomainHandlers<"documentTypes"> {
  return {
    list: ({ query }, { workspace }) => documentTypes.list(workspace.id, query),
    get: ({ params }, { workspace }) =>
      documentTypes.get({ workspaceId: workspace.id, key: params.typeKey }),
    put: ({ params, body }, { workspace, principal, ifMatch }) =>
      documentTypes.put(
        principal,
        { workspaceId: workspace.id, key: params.typeKey },
        body,
        ifMatch,
      ),
    delete: ({ params }, { workspace, ifMatch }) =>
      documentTypes.delete({ workspaceId: workspace.id, key: params.typeKey }, ifMatch),
    listAnalyzers: ({ query }, { workspace }) => documentTypes.listAnalyzers(workspace.id, query),
    getAnalyzer: ({ params }, { workspace }) =>
      documentTypes.getAnalyzer({ workspaceId: workspace.id, key: params.analyzerKey }),
    putAnalyzer: ({ params, body }, { workspace, principal, ifMatch }) =>
      documentTypes.putAnalyzer(
        principal,
        { workspaceId: workspace.id, key: params.analyzerKey },
        body,
        ifMatch,
      ),
    deleteAnalyzer: ({ params }, { workspace, ifMatch }) =>
      documentTypes.deleteAnalyzer({ workspaceId: workspace.id, key: params.analyzerKey }, ifMatch),
  };
}
