import { authPath, signInPaths } from "#contract/access/sign-in.ts";
import { emailKey } from "#lib/email-address.ts";
import { isLoopbackHost } from "#lib/network/loopback.ts";
import type { Reader } from "../../database/database.ts";
import { inBackground } from "../../kit/background.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { Logger } from "../../kit/logger.ts";
import { letter, type Mail, type Mailer } from "../../kit/mail/mail.ts";
import type { Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import { firstUserEmail, userByEmail, type User } from "../identity/service.ts";
import { tokenDigest } from "../secrets/service.ts";
import { Attempts } from "./attempts.ts";
import type { Tickets } from "./tickets.ts";

/** Mails for one account in a row; each further one doubles the wait, up to five minutes. */
const freeMails = 3;

export interface ResetRequest {
  readonly email: string;
  /** The address of the platform in the request. */
  readonly baseUrl: string;
  /** Runs a change with its entry in the audit log. */
  record<T>(change: (work: Work) => Promise<T>): Promise<T>;
}

/**
 * Links for forgotten passwords, by mail to the account's address. The request that starts a mail
 * does not wait for it, so that neither its response nor its time shows whether an account exists.
 */
export class PasswordResets {
  readonly #attempts: Attempts;

  constructor(
    private readonly parts: {
      readonly read: Reader;
      readonly tickets: Tickets;
      readonly mailer: Mailer | undefined;
      readonly platformWork: PlatformWork;
      readonly lifetime: Lifetime;
      readonly logger: Logger;
      readonly now: () => Date;
      /** The configured public address of the platform. */
      readonly configuredUrl: () => string | undefined;
    },
  ) {
    this.#attempts = new Attempts({ ...parts, freeAttempts: freeMails });
  }

  /** True if a request to this address of the platform can lead to a mail. */
  canMail(baseUrl: string): boolean {
    return this.parts.mailer !== undefined && this.#linkBase(baseUrl) !== undefined;
  }

  /** Starts the mail to an account with a password; does nothing for any other address. */
  request({ email, baseUrl, record }: ResetRequest): void {
    const { mailer, logger } = this.parts;
    const base = this.#linkBase(baseUrl);
    if (mailer === undefined || base === undefined) return;
    inBackground(logger, "password-reset-failed", async () => {
      const user = await userByEmail(this.parts.read, email);
      if (user === undefined || !mayReset(user)) return;
      const { oid } = user;
      const name = tokenDigest(`password mail ${oid}`);
      if ((await this.#attempts.begin(name)) > 0) return;
      await this.#attempts.fail(name);
      await record((work) =>
        work.write(async (tx) => {
          const target = { oid, email: user.email };
          tx.note({ action: "identity.requestPasswordReset", target });
        }),
      );
      await mailer.send(this.#mail(user, base));
    });
  }

  /** The user of a mailed ticket; undefined once it was used or has ended. */
  async holder(ticket: string): Promise<User | undefined> {
    const user = await this.parts.tickets.holder("reset-password", ticket);
    return user !== undefined && mayReset(user) ? user : undefined;
  }

  /** Other hosts than this machine are not taken from the request, which could name its own. */
  #linkBase(baseUrl: string): string | undefined {
    const configured = this.parts.configuredUrl();
    if (configured !== undefined) return configured;
    return isLoopbackHost(new URL(baseUrl).hostname) ? baseUrl : undefined;
  }

  #mail(user: User, base: string): Mail {
    const ticket = this.parts.tickets.issue("reset-password", user);
    const { host } = new URL(base);
    return letter({
      to: user.email,
      subject: "A new password for your account",
      firstName: user.first_name ?? undefined,
      content: [
        `A new password was requested for your account ${user.email} at ${host}.`,
        {
          label: "Choose a new password",
          link: `${base}${authPath}${signInPaths.password}?ticket=${ticket}`,
        },
        "The link works once, within 30 minutes. If you did not request it, ignore this mail: " +
          "your password stays as it is.",
      ],
    });
  }
}

/** The default address of the first user is no one's, and an account may have no password. */
function mayReset({ email, disabled_at, password_state }: User): boolean {
  const isDefault = emailKey(email) === emailKey(firstUserEmail);
  return disabled_at === null && password_state !== "none" && !isDefault;
}
