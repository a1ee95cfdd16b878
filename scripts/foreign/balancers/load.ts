export interface LoadResult {
  answered: number;
  /** The answers and errors that callers got instead of a success. */
  readonly failures: string[];
  slowestMs: number;
}

const pauseMs = 10;

/** Creates and reads records one after another, without a key and without repeating any request. */
export async function callUntil(
  stopping: AbortSignal,
  call: { readonly url: string; readonly token: string; readonly result: LoadResult },
): Promise<void> {
  const { url, token, result } = call;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  for (let at = 0; !stopping.aborted; at += 1) {
    const isWrite = at % 2 === 0;
    const sentMs = performance.now();
    try {
      const response = await fetch(
        isWrite ? url : `${url}?limit=5`,
        isWrite ? { method: "POST", headers, body: "{}" } : { headers },
      );
      const text = await response.text();
      if (response.ok) result.answered += 1;
      else result.failures.push(`${isWrite ? "POST" : "GET"} ${response.status} ${text}`);
    } catch (error) {
      result.failures.push(`${isWrite ? "POST" : "GET"} ${String(error)}`);
    }
    result.slowestMs = Math.max(result.slowestMs, Math.round(performance.now() - sentMs));
    await Bun.sleep(pauseMs);
  }
}
