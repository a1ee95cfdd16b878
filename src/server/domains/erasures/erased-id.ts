export const erasedKinds = ["record", "document", "workspace"] as const;

/** A record or document that was erased for good, or a purged workspace. */
export interface ErasedId {
  readonly kind: (typeof erasedKinds)[number];
  readonly workspaceId: string;
  readonly id: string;
  readonly at: string;
}
