import type { Secrets } from "../../secrets/service.ts";
import type { NewSigningPair, SigningPair } from "./signature.ts";
import type { EndpointKey, EndpointRecord } from "../store.ts";

type SealedColumns = Pick<EndpointRecord, "secret" | "signing_key" | "public_key">;

type SigningColumns = EndpointKey &
  Pick<
    EndpointRecord,
    "secret" | "signing_key" | "former_secret" | "former_signing_key" | "former_until"
  >;

/** Seals the secrets of endpoints with the installation's key. */
export class EndpointSecrets {
  constructor(private readonly secrets: Secrets) {}

  sealed(key: EndpointKey, pair: NewSigningPair): SealedColumns {
    return {
      secret: this.secrets.seal(nameOf(key, "secret"), pair.secret),
      signing_key: this.secrets.seal(nameOf(key, "key"), pair.signingKey),
      public_key: pair.publicKey,
    };
  }

  /** The pairs that sign a request now: during a rotation also the former one. */
  pairs(row: SigningColumns, now: Date): SigningPair[] {
    const open = (secret: string, signingKey: string): SigningPair => ({
      secret: this.secrets.unseal(nameOf(row, "secret"), secret),
      signingKey: this.secrets.unseal(nameOf(row, "key"), signingKey),
    });
    const pairs = [open(row.secret, row.signing_key)];
    const { former_secret: secret, former_signing_key: key, former_until: until } = row;
    if (secret !== null && key !== null && until !== null && until > now.toISOString()) {
      pairs.push(open(secret, key));
    }
    return pairs;
  }
}

function nameOf({ id }: EndpointKey, part: "secret" | "key"): string {
  return `webhook ${part} ${id}`;
}
