import type { ReportRedactor } from "./redaction/redact-report.ts";
import { version } from "#lib/version.ts";
import type { LastError } from "#local/configuration/last-error.ts";
import type { HarnessBlock } from "./harness.ts";

const shortText = 200;
const longestCommand = 500;

/** The facts of a report; each text is redacted before it is used. */
export interface ReportFacts {
  readonly website: string;
  readonly source: "eai-cli" | "harness";
  readonly workspaceId: string | undefined;
  readonly platform: string;
  readonly tool: string | undefined;
  readonly toolVersion: string | undefined;
  readonly command: string | undefined;
  readonly exitCode: number | undefined;
  readonly errorCode: string | undefined;
  /** The user's text after redaction. */
  readonly description: string | undefined;
  readonly lastError: LastError | undefined;
  /** The harness's block after redaction. */
  readonly harness: HarnessBlock | undefined;
}

/** The report as it is shown, approved and sent. */
export interface Report {
  /** JSON text: the bytes that the digest covers. */
  readonly bundle: string;
  readonly bundleDigest: string;
  readonly previewText: string;
}

/** Builds the report. The same facts give the same digest. */
export function buildReport(facts: ReportFacts, redactor: ReportRedactor): Report {
  const short = (text: string | undefined, length = shortText): string | undefined =>
    text === undefined ? undefined : cut(redactor.redact(text), length);
  const { lastError, tool, toolVersion } = facts;
  // The order is the order of the digest. JSON leaves out what is undefined.
  const content = {
    version: 1,
    website: facts.website,
    source: facts.source,
    workspaceId: facts.workspaceId,
    client: { name: "svc", version, platform: facts.platform },
    tool: (tool ?? toolVersion) && { name: short(tool), version: short(toolVersion) },
    command: short(facts.command, longestCommand),
    exitCode: facts.exitCode,
    errorCode: short(facts.errorCode),
    description: facts.description,
    lastError: lastError && {
      at: lastError.at,
      command: short(lastError.command),
      code: short(lastError.code),
      message: short(lastError.message, longestCommand),
      exitCode: lastError.exitCode,
      status: lastError.status,
    },
    harness: facts.harness,
  };
  const bundle = JSON.stringify(content);
  const bundleDigest = Bun.CryptoHasher.hash("sha256", bundle, "hex");
  const previewText = [
    `Report for ${facts.website}`,
    "Secrets were removed on this machine. Nothing else is sent:",
    "",
    JSON.stringify(content, null, 2),
  ].join("\n");
  return { bundle, bundleDigest, previewText };
}

function cut(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}
