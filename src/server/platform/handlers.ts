import type { Handlers } from "../http/handler.ts";
import type { Services } from "./services.ts";
import { chatHandlers } from "../domains/chat/routes.ts";
import { documentHandlers } from "../domains/documents/routes.ts";
import { healthHandlers } from "../domains/health/routes.ts";
import { identityHandlers } from "../domains/identity/routes.ts";
import { objectTypeHandlers } from "../domains/object-types/routes.ts";
import { resourceHandlers } from "../domains/records/routes.ts";
import { storageHandlers } from "../domains/storage/routes.ts";
import { workspaceHandlers } from "../domains/workspaces/routes.ts";

/** The handlers of every route; a missing domain does not compile. */
export function handlersOf(services: Services): Handlers {
  return {
    health: healthHandlers(services),
    identity: identityHandlers(services),
    workspaces: workspaceHandlers(services),
    objectTypes: objectTypeHandlers(services),
    resources: resourceHandlers(services),
    storage: storageHandlers(services),
    documents: documentHandlers(services),
    chat: chatHandlers(services),
  };
}
