import { readRegularFile } from "#lib/files/regular-file.ts";
import { ReportRedactor } from "./redaction/redact-report.ts";
import type { CommandContext } from "../kit/context.ts";

const secretName =
  /token|secret|passw|passphrase|pwd|key|credential|auth|cookie|connection|dsn|session|(?:^|_)pat(?:_|$)/i;
/** Names of apps are not secret. */
const openNames = new Set(["SVC_APP_KEY", "SVC_VERTICAL_KEY"]);
const maximumFileBytes = 1024 * 1024;

/** The values of variables that are secret by their name, and passwords in addresses. */
function secretsIn(variables: Iterable<readonly [string, string | undefined]>): string[] {
  const found: string[] = [];
  for (const [name, value] of variables) {
    if (value === undefined || openNames.has(name)) continue;
    if (secretName.test(name)) found.push(value);
    const password = URL.parse(value)?.password ?? "";
    if (password === "") continue;
    found.push(password);
    try {
      found.push(decodeURIComponent(password));
    } catch {
      // The password is not percent-encoded.
    }
  }
  return found;
}

/** Secrets of the environment only: enough for an error that is kept on this machine. */
export function environmentRedactor(
  variables: Readonly<Record<string, string | undefined>>,
  homeDirectory: string,
): ReportRedactor {
  return new ReportRedactor({ secrets: secretsIn(Object.entries(variables)), homeDirectory });
}

/** A redactor that knows the secrets of the environment, the sign-ins and the project. */
export async function reportRedactor(
  context: CommandContext,
  configDirectory: string,
): Promise<ReportRedactor> {
  const { variables, homeDirectory } = context.environment;
  const { readSignIns } = await import("#auth/token-file.ts");
  const signIns = await readSignIns(configDirectory).catch(() => []);
  const tokens = signIns.flatMap(({ tokens: one }) => [
    one.accessToken,
    one.refreshToken ?? "",
    one.idToken ?? "",
  ]);
  const secrets = [
    ...tokens,
    ...secretsIn(Object.entries(variables)),
    ...secretsIn(await projectVariables(context)),
  ];
  return new ReportRedactor({ secrets, homeDirectory });
}

async function projectVariables(context: CommandContext): Promise<Iterable<[string, string]>> {
  try {
    const path = (await context.settings()).project?.envFile;
    if (path === undefined) return [];
    const { parseEnv } = await import("#local/env/file.ts");
    const bytes = await readRegularFile(path, maximumFileBytes);
    return parseEnv(new TextDecoder().decode(bytes));
  } catch {
    // A broken project must not keep its user from support.
    return [];
  }
}
