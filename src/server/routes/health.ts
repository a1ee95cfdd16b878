import { Answer, type DomainHandlers } from "../handler.ts";
import { openApiDocument } from "../openapi-route.ts";
import type { Services } from "../platform/services.ts";

export function healthHandlers({ health }: Services): DomainHandlers<"health"> {
  return {
    async resources() {
      const body = await health.health();
      return new Answer(body, { status: body.status === "down" ? 503 : 200 });
    },
    openapi: () => openApiDocument(),
  };
}
