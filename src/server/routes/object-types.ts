import type { DomainHandlers } from "../handler.ts";
import type { ObjectTypeService } from "../services/object-types.ts";

export function objectTypeHandlers({
  objectTypes,
}: {
  readonly objectTypes: ObjectTypeService;
}): DomainHandlers<"objectTypes"> {
  return {
    list: ({ query }, { workspace }) => objectTypes.list(workspace.id, query),
    create: ({ body }, context) =>
      objectTypes.create(context.principal, context.workspace.id, body, ([type]) =>
        context.remember(type),
      ),
    update: ({ params, body }, { principal, workspace, ifMatch }) =>
      objectTypes.update(principal, workspace.id, params.objectTypeId, body, { ifMatch }),
    schema: async (_input, { workspace }) => ({
      tenantId: workspace.id,
      objectTypes: await objectTypes.schema(workspace.id),
    }),
  };
}
