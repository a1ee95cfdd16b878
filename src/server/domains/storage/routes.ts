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
      return storage.status(context.work, context.workspace.id);
    },
    doctor: (_input, { work, workspace, signal }) => storage.diagnose(work, workspace.id, signal),
    provision: ({ body }, context) => {
      context.mayTakeLong();
      return storage.provision(context.work, context.workspace.id, body);
    },
    syncSchema: ({ body }, { work, workspace }) => storage.syncSchema(work, workspace.id, body),
    indexPlan: ({ body }, { work, workspace }) =>
      storage.planIndexes(work, workspace.id, body.objectTypes),
  };
}
