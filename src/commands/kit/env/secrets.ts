import { redact } from "#lib/text/redact.ts";

/** Names that would change how a program of the project starts. */
const steering =
  /^(?:LD_|DYLD_|BUN_|NPM_CONFIG_|GIT_)|^(?:NODE_OPTIONS|NODE_TLS_REJECT_UNAUTHORIZED|PATH|HOME|SHELL|IFS|ENV|BASH_ENV|PYTHONPATH|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS)$/i;

export function steersPrograms(name: string): boolean {
  return steering.test(name);
}

const secretName =
  /SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|PRIVATE|CONNECTION_?STRING|(?:^|_)(?:KEY|PWD|AUTH|DSN|SALT)$/i;
const publicName = /^(?:SVC_APP_KEY|SVC_VERTICAL_KEY)$|(?:^|_)PUBLIC_/;

/** Returns whether a variable is a secret, by its name or by a value with credentials. */
export function isSecret(name: string, value: string): boolean {
  if (/:\/\/[^/\s:@]*:[^/\s@]+@/.test(value) || redact(value) !== value) return true;
  return secretName.test(name) && !publicName.test(name);
}

/** A masked value shows only that it is set. */
export const masked = "••••••••";
