import type { PulledDeliveries } from "#contract/events/webhooks.ts";

/** The outcome of a forwarded delivery, as the next pull reports it. */
export interface ForwardResult {
  readonly deliveryId: string;
  readonly responseStatus: number | null;
  readonly error?: string;
}

const timeoutMs = 20_000;

/** Posts a pulled delivery to a program on this machine, without following redirects. */
export async function forwarded(
  { deliveryId, headers, body }: PulledDeliveries["items"][number],
  options: { readonly target: URL; readonly signal: AbortSignal },
): Promise<ForwardResult> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const init = { method: "POST", headers, body, redirect: "manual" as const, signal };
    const response = await fetch(options.target, init);
    await response.body?.cancel();
    return { deliveryId, responseStatus: response.status };
  } catch (error) {
    options.signal.throwIfAborted();
    const words = error instanceof Error ? error.message : String(error);
    return { deliveryId, responseStatus: null, error: words.slice(0, 200) };
  }
}
