/**
 * Requests that came over a network. The pieces of their bodies belong to nobody else, so whoever
 * has read one may free it at once; a caller inside the process may use its own again.
 */
export const receivedRequests = new WeakSet<Request>();
