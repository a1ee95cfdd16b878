/** How a response's body can cross to another thread, which a `Response` does not show. */

/** Responses with a stored file or a part of it, which any thread can open. */
export const fileResponses = new WeakMap<Response, Blob>();

/** Responses with a streamed body; any other body is one text in memory. */
export const streamedResponses = new WeakSet<Response>();
