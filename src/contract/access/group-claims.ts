/**
 * Claims that name no group: every user has them, or users choose their values themselves (OpenID
 * Connect Core, 5.7; RFC 9068, 2.2).
 */
const personalClaims: ReadonlySet<string> = new Set(
  (
    "iss sub aud exp nbf iat jti auth_time nonce acr amr azp at_hash c_hash s_hash sid scope scp " +
    "client_id typ name given_name family_name middle_name nickname preferred_username upn " +
    "unique_name profile picture website email email_verified gender birthdate zoneinfo locale " +
    "phone_number phone_number_verified address updated_at"
  ).split(" "),
);

/** True if a claim may grant a role; `a.b` is the member `b` of the claim `a`. */
export function isGroupClaim(name: string): boolean {
  return !personalClaims.has(name) && !personalClaims.has(name.split(".")[0] ?? name);
}
