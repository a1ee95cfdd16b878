/**
 * What the work gives; `late` where it takes longer than `limitMs`, and goes on by itself. Work that
 * fails in time rejects, later failures are nobody's.
 */
export async function within<Result, Late>(
  limitMs: number,
  work: Promise<Result>,
  late: Late,
): Promise<Result | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late), Math.max(0, limitMs));
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
