/** Ids and secrets that a platform has issued, and that a later build must still accept. */
export interface Issued {
  readonly people: {
    /** The first user, with the refresh token of a sign-in. */
    readonly admin: Person & { readonly refreshToken: string };
    /** A member whose second factor is an app with this secret. */
    readonly guarded: Person & { readonly factorSecret: string; readonly recoveryCode: string };
    /** The secret of a pending invitation. */
    readonly invitation: string;
  };
  /** The workspace with all the data, a deleted one, and one with a quota. */
  readonly workspaces: {
    readonly main: string;
    readonly deleted: string;
    readonly limited: string;
  };
  readonly key: { readonly id: string; readonly token: string };
  /** An app with two secrets while one replaces the other, and the path of a provisioning job. */
  readonly app: {
    readonly clientId: string;
    readonly secrets: readonly string[];
    readonly job: string;
  };
  /** A creation with an `Idempotency-Key`, whose answer is replayed. */
  readonly creation: {
    readonly path: string;
    readonly key: string;
    readonly body: object;
    readonly id: string;
  };
  /** A record with a history, and one with a file. */
  readonly records: { readonly type: string; readonly changed: string; readonly filed: string };
  /** Paths of ended imports, which no list names. */
  readonly imports: readonly string[];
  /** Searches for passages in the main workspace, each with a text that it finds. */
  readonly searches: readonly { readonly query: string; readonly finds: string }[];
}

interface Person {
  readonly email: string;
  readonly password: string;
}
