/** For whoever hands an answer on to another thread: what its body is, which a Response won't say. */

/** Answers with a stored file, or a part of one, which any thread can open. */
export const fileAnswers = new WeakMap<Response, Blob>();

/** Answers whose bodies come in pieces; any other's is a text that is in memory as a whole. */
export const streamedAnswers = new WeakSet<Response>();
