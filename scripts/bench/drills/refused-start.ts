/** A platform whose disk fails while it starts says so without a stack, and ends. */
export function requireRefusedStart(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  const isStart = /^svc serve ended with exit code 1:\n\{[^]*"code": "E\d|^PostgreSQL did not/.test(
    words,
  );
  if (!isStart || /^\s+at .*:\d+/m.test(words)) throw error;
  return "the start was refused";
}
