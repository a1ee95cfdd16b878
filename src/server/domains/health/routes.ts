import { Refusal } from "#contract/problems.ts";
import type { DomainHandlers } from "../../http/handler.ts";
import { openApiAnswer } from "./openapi-document.ts";
import type { Services } from "../../platform/services.ts";

export function healthHandlers({ health }: Services): DomainHandlers<"health"> {
  return {
    async resources() {
      const body = await health.health();
      if (body.status !== "down") return body;
      const parts = Object.entries(body.components ?? {});
      const down = parts.filter(([, part]) => part.status === "down").map(([name]) => name);
      throw new Refusal("storage-unavailable", {
        detail: `Down: ${down.join(", ")}`,
        members: { components: body.components },
        headers: { "retry-after": "2" },
      });
    },
    openapi: () => openApiAnswer(),
  };
}
