import { EventSourceParserStream } from "eventsource-parser/stream";
import { realtimeRoutes, type CloudEvent } from "#contract/platform/realtime.ts";
import { isJsonObject, parsedJson } from "#lib/json/value.ts";
import { sleep } from "#lib/time/sleep.ts";
import type { AgentRequest, ChangeOptions } from "#mcp/host.ts";

/** The pause before a stream that the platform has ended is continued. */
const pauseMs = 250;

type Send = (request: AgentRequest) => Promise<Response>;

/**
 * The changes of a workspace by the platform's own stream, with the caller's token. It continues
 * from the last event, ends after `svc.feed.reset`, and throws the refusal of a stream.
 */
export async function* changesOf(
  send: Send,
  workspaceId: string,
  { kinds, signal, onOpen }: ChangeOptions,
): AsyncGenerator<CloudEvent, void, undefined> {
  let cursor: string | undefined;
  for (;;) {
    const response = await send({
      method: "GET",
      path: realtimeRoutes.events.path,
      query: [
        ["tenant_id", workspaceId],
        ["kinds", kinds.join(",")],
        ...(cursor === undefined ? [] : [["cursor", cursor] as const]),
      ],
      tenantId: workspaceId,
      headers: { accept: "text/event-stream" },
      idempotencyKey: undefined,
      body: undefined,
      contentType: undefined,
      signal,
    });
    if (!response.ok || response.body === null) throw await refusalOf(response);
    onOpen();
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    for await (const { data } of events) {
      // The platform's own route has written the event.
      const event = JSON.parse(data) as CloudEvent;
      cursor = event.svccursor ?? cursor;
      if (event.type !== "svc.feed.bookmark") yield event;
      if (event.type === "svc.feed.reset") return;
    }
    await sleep(pauseMs, signal);
  }
}

async function refusalOf(response: Response): Promise<Error> {
  const problem = parsedJson(await response.text());
  const detail = isJsonObject(problem) ? problem["detail"] : undefined;
  return new Error(
    typeof detail === "string" ? detail : `the stream of changes was refused (${response.status})`,
  );
}
