/** The form of a secret that svc makes: its text, and what reports remove. */
export interface SecretFormat {
  readonly prefix: string;
  /** Each character is one of these. */
  readonly alphabet: string;
  /** The lengths of the groups, with a hyphen between two. */
  readonly groups: readonly number[];
  /** The length of the groups with blanks in between, in which pages show it. */
  readonly shownInGroupsOf?: number;
}

/** Leaves out the letters and digits that look alike. */
const easyLetters = "abcdefghjkmnpqrstuvwxyz23456789";
const lettersAndDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const base64Url = `${lettersAndDigits}-_`;
/** A secret of 32 bytes in base64url. */
const tokenGroups = [43];

/**
 * Every secret that svc makes has its format here: the platform makes it by this, and support
 * reports remove it by this.
 */
export const secretFormats = {
  /** About 99 bits: valid once, to choose a password with. */
  oneTimePassword: { prefix: "", alphabet: easyLetters, groups: [5, 5, 5, 5] },
  /** About 74 bits, for one sign-in without the app or the passkey. */
  recoveryCode: { prefix: "", alphabet: easyLetters, groups: [5, 5, 5] },
  /** The code that a user types for a device: consonants form no words (RFC 8628, 6.1). */
  userCode: { prefix: "", alphabet: "BCDFGHJKLMNPQRSTVWXZ", groups: [4, 4] },
  /** Secrets of invitations, sessions, codes and drafts. */
  token: { prefix: "", alphabet: base64Url, groups: tokenGroups },
  /** The token of a service account's key. */
  serviceKey: { prefix: "svc_", alphabet: base64Url, groups: tokenGroups },
  /** The secret of an app that signs users in. */
  appSecret: { prefix: "svcs_", alphabet: base64Url, groups: tokenGroups },
  /** The secret of a webhook endpoint: 33 bytes in base64 (Standard Webhooks). */
  webhookSecret: { prefix: "whsec_", alphabet: lettersAndDigits, groups: [44] },
  /** The secret that an app with codes shares with the platform, in base32. */
  factorSecret: {
    prefix: "",
    alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    groups: [32],
    shownInGroupsOf: 4,
  },
} as const satisfies Readonly<Record<string, SecretFormat>>;

export type SecretName = keyof typeof secretFormats;
