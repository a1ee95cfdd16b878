/** People. A local user signs in here; another issuer's user is known by issuer and subject. */
export interface UserRow {
  /** The user's id everywhere in the interface. */
  oid: string;
  /** Empty for a user of this platform's own sign-in. */
  issuer: string;
  /** The issuer's id of the user; the oid for local ones. */
  subject: string;
  email: string;
  /** Lower case; unique among local users. */
  email_key: string;
  display_name: string;
  first_name: string | null;
  last_name: string | null;
  password_hash: string | null;
  /** `none`, `one-time` (good for choosing another) or `set`. */
  password_state: string;
  /** When a one-time password ends; null for never. */
  password_expires_at: string | null;
  system_admin: number;
  /** First successful sign-in; null while the user is only invited. */
  activated_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface SigningKeyRow {
  kid: string;
  algorithm: string;
  public_key: string;
  private_key: string;
  created_at: string;
}

export interface SecretRow {
  name: string;
  value: string;
  created_at: string;
}

/** A browser that is signed in, for the sign-in pages only. */
export interface SessionRow {
  id_hash: string;
  oid: string;
  signed_in_at: string;
  expires_at: string;
}

export interface AuthorizationCodeRow {
  code_hash: string;
  client_id: string;
  oid: string;
  redirect_uri: string;
  code_challenge: string;
  nonce: string | null;
  scope: string;
  signed_in_at: string;
  expires_at: string;
  /** The grant that its redemption made; a second redemption revokes that. */
  grant_id: string | null;
}

/** What a user has given a client: the family of all refresh tokens that came one from another. */
export interface GrantRow {
  id: string;
  client_id: string;
  oid: string;
  scope: string;
  signed_in_at: string;
  created_at: string;
  revoked_at: string | null;
}

export interface RefreshTokenRow {
  token_hash: string;
  grant_id: string;
  created_at: string;
  expires_at: string;
  /** When it was first exchanged for the next one. */
  used_at: string | null;
}

export interface DeviceCodeRow {
  device_code_hash: string;
  user_code: string;
  client_id: string;
  scope: string;
  /** `pending`, `approved`, `denied` or `used`. */
  state: string;
  oid: string | null;
  signed_in_at: string | null;
  interval_seconds: number;
  polled_at: string | null;
  expires_at: string;
}

export interface IdentityTables {
  users: UserRow;
  signing_keys: SigningKeyRow;
  secrets: SecretRow;
  sessions: SessionRow;
  authorization_codes: AuthorizationCodeRow;
  grants: GrantRow;
  refresh_tokens: RefreshTokenRow;
  device_codes: DeviceCodeRow;
}
