import type { Domain } from "#contract/index.ts";
import type { DomainHandlers } from "./handler.ts";
import type { Services } from "./platform/services.ts";
import { chatHandlers } from "./routes/chat.ts";
import { documentHandlers } from "./routes/documents.ts";
import { healthHandlers } from "./routes/health.ts";
import { identityHandlers } from "./routes/identity.ts";
import { objectTypeHandlers } from "./routes/object-types.ts";
import { resourceHandlers } from "./routes/resources.ts";
import { storageHandlers } from "./routes/storage.ts";
import { workspaceHandlers } from "./routes/workspaces.ts";

/** The handlers of every domain: a forgotten one does not compile. */
export type Handlers = { readonly [Name in Domain]: DomainHandlers<Name> };

/** Wire to rules: one line a domain. */
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
