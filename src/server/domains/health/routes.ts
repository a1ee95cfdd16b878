import { openApi, type OpenApiDocument } from "#contract/openapi/openapi.ts";
import { Refusal } from "#contract/problems.ts";
import { version } from "#lib/version.ts";
import { Answer, type DomainHandlers } from "../../http/handler.ts";
import { JsonText } from "../../kit/lists/json-text.ts";
import { tokenDigest } from "../secrets/service.ts";
import type { HealthService } from "./service.ts";

let openApiAnswer: Answer<OpenApiDocument> | undefined;

/** The name of a part, with its failure. */
function wordsOf(name: string, { detail }: { readonly detail?: string | undefined }): string {
  return detail === undefined ? name : `${name} (${detail})`;
}

export function healthHandlers({
  health,
}: {
  readonly health: HealthService;
}): DomainHandlers<"health"> {
  return {
    async resources() {
      const { health: body, writes } = await health.condition();
      if (body.status !== "down" && writes) return body;
      const parts = Object.entries(body.components ?? {});
      const named = (status: string): string =>
        parts
          .flatMap(([name, part]) => (part.status === status ? [wordsOf(name, part)] : []))
          .join(", ");
      const detail =
        body.status === "down" ? `Down: ${named("down")}` : `Writes fail: ${named("degraded")}`;
      throw new Refusal("storage-unavailable", {
        detail,
        members: { components: body.components },
        headers: { "retry-after": "2" },
      });
    },
    openapi() {
      if (openApiAnswer === undefined) {
        const text = new JsonText<OpenApiDocument>(JSON.stringify(openApi({ version })));
        openApiAnswer = new Answer(text, { headers: { etag: `"${tokenDigest(text.text)}"` } });
      }
      return openApiAnswer;
    },
  };
}
