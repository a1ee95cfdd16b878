/** Sends one request; `globalThis.fetch`, or the embedded platform's own function. */
export type FetchFunction = (request: Request, init?: RequestInit) => Promise<Response>;
