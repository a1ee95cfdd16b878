import { Refusal } from "#contract/problems.ts";
import { jsonOf } from "../../kit/lists/json-text.ts";

/** One value of a stream. */
export interface StreamedValue {
  readonly id?: string;
  readonly data: unknown;
  /** Several streams have this value, which is encoded once for all of them; it needs an id. */
  readonly isShared?: boolean;
}

/** The text of a stream's parts; an undefined part is not sent. */
export interface StreamFormat {
  readonly opening: string | undefined;
  readonly ping: string | undefined;
  readonly done: string;
  /** The end after a failure of the sequence. */
  readonly failed: string | undefined;
  /** `count` is the number of the value, from 1. */
  event(value: StreamedValue, count: number): string;
  /** The end by the signal of the request; a drain says when to connect again. */
  stopped(signal: AbortSignal): string | undefined;
}

const encoder = new TextEncoder();
const encoded = new WeakMap<StreamFormat, WeakMap<StreamedValue, Uint8Array>>();

/** The bytes of one value, as {@link StreamFormat.event} writes it. */
export function bytesOf(format: StreamFormat, value: StreamedValue, count: number): Uint8Array {
  if (value.isShared !== true) return encoder.encode(format.event(value, count));
  let known = encoded.get(format);
  if (known === undefined) encoded.set(format, (known = new WeakMap()));
  let bytes = known.get(value);
  if (bytes === undefined) {
    bytes = encoder.encode(format.event(value, count));
    known.set(value, bytes);
  }
  return bytes;
}

/** JSON text never begins with it. */
export const closeMark = "#";

const retryFromMs = 500;
const retrySpreadMs = 2_500;

/** Server-sent events (WHATWG HTML, 9.2). The missing `[DONE]` shows that one is incomplete. */
export const eventFormat: StreamFormat = {
  opening: ": open\n\n",
  ping: ": ping\n\n",
  done: "data: [DONE]\n\n",
  failed: undefined,
  event({ id, data }, count) {
    // A line break in an id would begin another field.
    const line = (id ?? String(count)).replaceAll(/[\r\n\0]/g, "");
    return `id: ${line}\ndata: ${jsonOf(data)}\n\n`;
  },
  stopped(signal) {
    return isDrain(signal) ? `retry: ${retryMs()}\n\n` : undefined;
  },
};

/**
 * Lines that the listener turns into WebSocket messages: a JSON value is a text message, and
 * {@link closeMark} begins the close frame's code and reason. The runtime sends the pings.
 */
export const socketFormat: StreamFormat = {
  opening: undefined,
  ping: undefined,
  done: closeLine(1000),
  failed: closeLine(1011, "the stream failed; connect again with the last cursor"),
  event: ({ data }) => `${jsonOf(data)}\n`,
  stopped(signal) {
    if (!isDrain(signal)) return closeLine(1000);
    return closeLine(1012, `the platform restarts; connect again after ${retryMs()} ms`);
  },
};

function closeLine(code: number, reason = ""): string {
  return `${closeMark}${code} ${reason}\n`;
}

function isDrain({ reason }: AbortSignal): boolean {
  return reason instanceof Refusal && reason.code === "draining";
}

/** Another time for each client, so that they do not all come back at once. */
function retryMs(): number {
  return Math.round(retryFromMs + Math.random() * retrySpreadMs);
}
