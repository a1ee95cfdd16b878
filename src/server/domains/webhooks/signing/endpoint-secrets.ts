import {
  earlierSecrets,
  formerSecrets,
  type FormerSecret,
  type Secrets,
} from "../../secrets/service.ts";
import type { NewSigningPair, SigningPair } from "./signature.ts";
import type { EndpointKey, EndpointRecord } from "../store.ts";

type SealedColumns = Pick<EndpointRecord, "secret" | "signing_key" | "public_key">;

type FormerColumns = Pick<
  EndpointRecord,
  "former_secret" | "former_signing_key" | "former_until" | "earlier_pairs"
>;

type SigningColumns = EndpointKey & Pick<EndpointRecord, "secret" | "signing_key"> & FormerColumns;

/** A pair that was replaced, sealed. */
interface FormerPair extends FormerSecret {
  readonly signingKey: string;
}

export const noFormer: FormerColumns = {
  former_secret: null,
  former_signing_key: null,
  former_until: null,
  earlier_pairs: null,
};

/** The columns of the former pairs once the present one is replaced, which signs until `until`. */
export function formerColumns(row: SigningColumns, now: Date, until: string): FormerColumns {
  return {
    former_secret: row.secret,
    former_signing_key: row.signing_key,
    former_until: until,
    earlier_pairs: earlierSecrets(row.secret, formerPairs(row, now)),
  };
}

/** The former pairs whose grace runs, the last one first. */
export function formerPairs(row: FormerColumns, now: Date): FormerPair[] {
  const { former_secret: secret, former_signing_key: signingKey, former_until: until } = row;
  const hasLast = secret !== null && signingKey !== null && until !== null;
  const last = hasLast ? { secret, signingKey, until } : undefined;
  return formerSecrets(last, row.earlier_pairs, now);
}

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

  /** The pairs that sign a request now: during a rotation also the former ones. */
  pairs(row: SigningColumns, now: Date): SigningPair[] {
    const open = ({ secret, signingKey }: Omit<FormerPair, "until">): SigningPair => ({
      secret: this.secrets.unseal(nameOf(row, "secret"), secret),
      signingKey: this.secrets.unseal(nameOf(row, "key"), signingKey),
    });
    const present = { secret: row.secret, signingKey: row.signing_key };
    return [present, ...formerPairs(row, now)].map(open);
  }
}

function nameOf({ id }: EndpointKey, part: "secret" | "key"): string {
  return `webhook ${part} ${id}`;
}
