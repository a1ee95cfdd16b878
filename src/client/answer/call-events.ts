import { catalogError } from "#contract/errors.ts";
import { maximumAnswerBytes } from "#contract/limits.ts";
import { readBoundedText } from "#lib/network/bounded-body.ts";
import { parsedJson } from "#lib/json/value.ts";
import { readPart } from "./answer.ts";
import { bodyFailure } from "../transport/connection.ts";
import { encodeCall, type LooseInput } from "../request/encode.ts";
import { endMark, readEvents } from "./events.ts";
import { accepts, openLimit, refusal, type CallSettings } from "../invoke.ts";
import { fittingValue, readBody, unreadable } from "./other-answers.ts";
import type { ClientRoute } from "../route.ts";

/**
 * A route's parsed events; unknown kinds are left out (`useChat` keeps them). A stream of a route
 * that replies with events throws E203 if it ends without `[DONE]`. A plain JSON response is one
 * event.
 */
export async function* callEvents(
  route: ClientRoute,
  input: LooseInput,
  settings: CallSettings,
): AsyncGenerator<unknown, void, undefined> {
  const isStream = route.reply.type === "events";
  const name = isStream ? "reply" : "events";
  if (!isStream && route.hasEvents !== true) throw new TypeError(`${route.path} has no events`);
  const outgoing = await encodeCall(route, input, settings, accepts.events);
  const limit = openLimit(outgoing, input, settings);
  try {
    const response = await settings.transport.send(outgoing, limit);
    limit.stopClock();
    if (!response.ok) throw await refusal(response, route, input, settings, outgoing);
    if (!/^text\/event-stream/i.test(response.headers.get("content-type") ?? "")) {
      const limits = { limitMs: settings.timeoutMs };
      const text = await readBoundedText(response, maximumAnswerBytes, limits).catch(
        (error: unknown) => {
          input.signal?.throwIfAborted();
          throw unreadable(
            `the response can't be read: ${bodyFailure(error)}`,
            response.status,
            outgoing,
          );
        },
      );
      const reading = await readBody({ route, name, outgoing }, text, response);
      // A bare text is an unknown kind of event.
      const isText = /^text\/plain\b/i.test(response.headers.get("content-type") ?? "");
      if (isStream && isText && !reading.fits) return;
      yield fittingValue(reading, text, response.status, outgoing);
      return;
    }
    for await (const event of readEvents(response, { signal: input.signal })) {
      if (event.data === endMark) return;
      const reading = await readPart(route, name, parsedJson(event.data));
      if (reading.fits) yield reading.value;
    }
    if (isStream) throw catalogError("E203", { details: "the stream ended before its end mark" });
  } finally {
    limit.close();
  }
}
