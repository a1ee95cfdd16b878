import type { DomainHandlers } from "../../http/handler.ts";
import type { ObjectTypeService } from "./service.ts";

export function objectTypeHandlers({
  objectTypes,
}: {
  readonly objectTypes: ObjectTypeService;
}): DomainHandlers<"objectTypes"> {
  return {
    list: async ({ query }, { workspace }) => ({
      ...(await objectTypes.list(workspace.id, query)),
      atomicBatch: true,
    }),
    create: ({ body }, context) =>
      objectTypes.create(context.principal, context.workspace.id, body, ([type]) =>
        context.remember(type),
      ),
    update: ({ params, body }, context) => {
      const { principal, workspace, ifMatch } = context;
      // A property that becomes unique is checked in every record first.
      context.mayTakeLong();
      return objectTypes.update(principal, workspace.id, params.objectTypeId, body, { ifMatch });
    },
    batch: async ({ body }, context) => {
      context.mayTakeLong();
      const { created, updated } = await objectTypes.apply(
        context.principal,
        context.workspace.id,
        body,
        (applied) => context.remember({ ...applied }),
      );
      return { created, updated };
    },
    schema: async (_input, { workspace }) => ({
      tenantId: workspace.id,
      objectTypes: await objectTypes.schema(workspace.id),
    }),
  };
}
