import { catalogError } from "#contract/errors.ts";
import { addOperatorEntry } from "../../domains/audit/service.ts";
import { deleteFactorsOf } from "../../domains/factors/store.ts";
import { Passwords } from "../../domains/identity/passwords.ts";
import { firstSystemAdmin, localIssuer, updateUser } from "../../domains/identity/users.ts";
import { giveOneTimePassword } from "../../domains/sign-in/one-time-password.ts";
import { noDataIn, type StorageLocation } from "../storage-location.ts";
import { withStoredWork } from "./stored-work.ts";

export interface ResetAdministrator {
  readonly email: string;
  readonly oneTimePassword: string;
  /** The end of the one-time password (RFC 3339, UTC). */
  readonly expiresAt: string;
  readonly removedFactors: number;
}

/**
 * `svc serve admin reset`: a one-time password for the installation's administrator, who is enabled
 * again. Throws E205 for an administrator that another identity provider signs in.
 */
export async function resetAdministrator(
  options: StorageLocation & { readonly removesFactors: boolean; readonly now?: () => Date },
): Promise<ResetAdministrator> {
  const { removesFactors, now = () => new Date() } = options;
  const { password, hash } = await new Passwords().oneTime();
  return withStoredWork(options, "the administrator's account", (work) =>
    work.write(async (tx) => {
      const user = await firstSystemAdmin(tx);
      if (user === undefined) throw noDataIn(options.dataDirectory);
      const { oid, email, issuer } = user;
      if (issuer !== localIssuer) {
        throw catalogError(
          "E205",
          { details: `${email} signs in at ${issuer}, without a password of this platform` },
          { hint: "Start the platform without --auth-url, then use `svc serve token`" },
        );
      }
      const at = now();
      const removedFactors = removesFactors ? await deleteFactorsOf(tx, oid) : 0;
      const given = await giveOneTimePassword(tx, oid, { hash, now: at.toISOString() });
      await updateUser(tx, oid, { disabled_at: null });
      const { expiresAt, revokedGrants: endedSignIns } = given;
      const changes = { target: { oid, email }, after: { endedSignIns, removedFactors } };
      await addOperatorEntry(tx, "serve.resetAdministrator", changes, { at });
      return { email, oneTimePassword: password, expiresAt, removedFactors };
    }),
  );
}
