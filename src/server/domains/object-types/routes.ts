import type { DomainHandlers } from "../../http/handler.ts";
import type { ObjectTypeService } from "./service.ts";

export function objectTypeHandlers({
  objectTypes,
}: {
  readonly objectTypes: ObjectTypeService;
}): DomainHandlers<"objectTypes"> {
  return {
    list: async ({ query }, { work, workspace }) => ({
      ...(await objectTypes.list(work, workspace.id, query)),
      atomicBatch: true,
    }),
    create: ({ body }, { work, workspace }) => objectTypes.create(work, workspace.id, body),
    update: ({ params, body }, context) => {
      const { work, workspace, ifMatch } = context;
      // A property that becomes unique is checked in every record first.
      context.mayTakeLong();
      return objectTypes.update(work, workspace.id, params.objectTypeId, body, { ifMatch });
    },
    batch: ({ body }, context) => {
      context.mayTakeLong();
      return objectTypes.apply(context.work, context.workspace.id, body);
    },
    schema: async (_input, { work, workspace }) => ({
      tenantId: workspace.id,
      objectTypes: await objectTypes.schema(work, workspace.id),
    }),
  };
}
