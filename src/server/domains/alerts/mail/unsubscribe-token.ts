import { equalSecrets } from "../../secrets/service.ts";

export const unsubscribePath = "/alerts/unsubscribe";

/** The link of a mail that ends further ones. */
export function unsubscribeLink(baseUrl: string, token: string): string {
  return `${baseUrl}${unsubscribePath}?token=${token}`;
}

/** A person whose mails end, in one workspace or in all of them. */
export interface Unsubscription {
  readonly oid: string;
  readonly workspaceId: string | undefined;
}

/** Signs the links that end mails: their holder needs no sign-in, and they do not expire. */
export class UnsubscribeTokens {
  constructor(private readonly key: Uint8Array) {}

  write({ oid, workspaceId = "" }: Unsubscription): string {
    const text = Buffer.from(JSON.stringify([oid, workspaceId])).toString("base64url");
    return `${text}.${this.#signature(text)}`;
  }

  /** Undefined for a text that {@link write} has not made. */
  read(token: string): Unsubscription | undefined {
    const [text = "", signature = ""] = token.split(".", 2);
    if (!equalSecrets(signature, this.#signature(text))) return undefined;
    // The signature proves that `write` made it.
    const [oid, workspaceId] = JSON.parse(Buffer.from(text, "base64url").toString()) as [
      string,
      string,
    ];
    return { oid, workspaceId: workspaceId === "" ? undefined : workspaceId };
  }

  #signature(text: string): string {
    return new Bun.CryptoHasher("sha256", this.key).update(text).digest("base64url");
  }
}
