/** A proxy did not pass on a request; the message completes a sentence. */
export class ProxyRefusal extends Error {
  override readonly name = "ProxyRefusal";
  /** The end of a sentence that begins with the proxy. */
  readonly predicate: string;
  constructor(readonly status: number) {
    const predicate =
      status === 407
        ? "requires a user and a password (407)"
        : `refused the connection (${status})`;
    super(`the proxy ${predicate}`);
    this.predicate = predicate;
  }
}

/** The refusal that a failed `fetch` reports; the runtime has its status in the message only. */
export function proxyRefusalOf(error: unknown): ProxyRefusal | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  if (error.code !== "ERR_PROXY_TUNNEL") return undefined;
  const status = /: (\d{3})\b/.exec(error.message)?.[1];
  return new ProxyRefusal(Number(status ?? 502));
}

/** The hint for a failure at a proxy; undefined for other failures. */
export function proxyHint(error: unknown): string | undefined {
  if (!(error instanceof ProxyRefusal)) return undefined;
  const sentence = error.message.charAt(0).toUpperCase() + error.message.slice(1);
  return error.status === 407 ? `${sentence}: ${credentialWords}` : sentence;
}

export const credentialWords = "HTTPS_PROXY and HTTP_PROXY take http://user:password@host:port";
