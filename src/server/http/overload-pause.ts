const pauseMs = 500;
const maximumPaused = 5_000;

/**
 * Delays a refusal for overload (503), so that a caller that retries at once, on many connections,
 * gets less of the thread than one that waits as `Retry-After` says.
 */
export class OverloadPause {
  #paused = 0;

  async of(response: Response, draining: AbortSignal): Promise<Response> {
    if (this.#paused >= maximumPaused || draining.aborted) return response;
    this.#paused += 1;
    await Bun.sleep(pauseMs);
    this.#paused -= 1;
    return response;
  }
}
