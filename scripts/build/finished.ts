/** A child process whose stdout and stderr are pipes. */
type PipedChild = Bun.Subprocess<"ignore" | "pipe" | Blob, "pipe", "pipe">;

/** What a process wrote and how it ended, once it has; both pipes are read meanwhile. */
export async function finished(
  child: PipedChild,
): Promise<{ readonly stdout: string; readonly stderr: string; readonly exitCode: number }> {
  const [stdout, stderr, exitCode] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  return { stdout, stderr, exitCode };
}
