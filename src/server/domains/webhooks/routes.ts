import type { DomainHandlers } from "../../http/handler.ts";
import type { Webhooks } from "./service.ts";

export function webhookHandlers({
  webhooks: { endpoints, deliveries },
}: {
  readonly webhooks: Webhooks;
}): DomainHandlers<"webhooks"> {
  return {
    list: ({ query }, { work, workspace }) => endpoints.list(work, workspace.id, query),
    create: ({ body }, { work, workspace }) => endpoints.create(work, workspace.id, body),
    get: ({ params }, { work, workspace }) => endpoints.get(work, workspace.id, params.endpointId),
    update: ({ params, body }, { work, workspace }) =>
      endpoints.update(work, workspace.id, params.endpointId, body),
    remove: ({ params }, { work, workspace }) =>
      endpoints.remove(work, workspace.id, params.endpointId),
    test: ({ params }, { work, workspace }) =>
      deliveries.test(work, workspace.id, params.endpointId),
    rotate: ({ params, body }, { work, workspace }) =>
      endpoints.rotate(work, workspace.id, params.endpointId, body.graceDays),
    enable: ({ params }, { work, workspace }) =>
      endpoints.enable(work, workspace.id, params.endpointId),
    replay: ({ params, body }, { work, workspace }) =>
      deliveries.replay(work, workspace.id, params.endpointId, body),
    pull: ({ params, body }, { work, workspace, signal }) =>
      deliveries.pull(work, workspace.id, params.endpointId, { request: body, signal }),
    deliveries: ({ params, query }, { work, workspace }) =>
      deliveries.list(work, workspace.id, params.endpointId, query),
    delivery: ({ params }, { work, workspace }) =>
      deliveries.get(work, workspace.id, params.endpointId, params.deliveryId),
  };
}
