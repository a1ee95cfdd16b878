/** A child process whose stdout and stderr are pipes. */
type PipedChild = Bun.Subprocess<"ignore" | "pipe" | Blob, "pipe", "pipe">;

/** The output and exit code of a process; reads both pipes until it ends. */
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
