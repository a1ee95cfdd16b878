/** The result of `work`, or `late` after `limitMs`; the work then continues unobserved. */
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
