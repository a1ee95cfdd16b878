/**
 * Answers whose bodies are files or event streams: whoever hands one on takes it in pieces, where any
 * other is a text that is in memory as a whole.
 */
export const streamedAnswers = new WeakSet<Response>();
