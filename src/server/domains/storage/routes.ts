import type { DomainHandlers } from "../../http/handler.ts";
import type { StorageService } from "./service.ts";

export function storageHandlers({
  storage,
}: {
  readonly storage: StorageService;
}): DomainHandlers<"storage"> {
  return {
    status: (_input, context) => {
      context.mayTakeLong();
      return storage.status(context.workspace.id);
    },
    doctor: (_input, { workspace, signal }) => storage.diagnose(workspace.id, signal),
    provision: ({ body }, context) => {
      context.mayTakeLong();
      return storage.provision(context.workspace.id, body);
    },
    syncSchema: ({ body }, { workspace }) => storage.syncSchema(workspace.id, body),
    indexPlan: ({ body }, { workspace }) => storage.planIndexes(workspace.id, body.objectTypes),
  };
}
