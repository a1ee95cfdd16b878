import { textOption } from "#cli/command.ts";
import { organisationLocations } from "#contract/platform/support.ts";
import { command } from "./kit/command.ts";

const lowestExitCode = -2_147_483_648;
const highestExitCode = 2_147_483_647;

/** `svc support`: a redacted report, and after consent a draft on the website (spec 7.3). */
export default command({
  path: "support",
  summary: "Show a report for support, and after consent make a draft of it",
  description:
    "The report is built and redacted on this machine. On a terminal the command asks before it " +
    "sends it; otherwise it only shows it, and --yes with the digest of the shown report sends " +
    "it. The website is SVC_WEBSITE_URL or the platform's address. Exit codes: 0 created, " +
    "declined or shown; 1 not created; 2 wrong usage; 4 signed out.",
  signsIn: true,
  arguments: [],
  options: {
    description: textOption("text", "The problem, in 10 to 6000 characters"),
    source: {
      type: "string",
      values: ["eai-cli", "harness"],
      placeholder: "eai-cli|harness",
      description: "Who reports (default: harness with --tool, else eai-cli)",
    },
    tool: textOption("name", "The tool that reports"),
    "tool-version": textOption("version", "Its version"),
    command: textOption("words", "The command that failed"),
    "exit-code": {
      type: "number",
      minimum: lowestExitCode,
      maximum: highestExitCode,
      description: "Its exit code, a signed 32-bit number",
    },
    "error-code": textOption("code", "Its error code, for example E203"),
    "create-context-file": {
      type: "boolean",
      description: "Only allocate a private file for --context-file",
      excludes: ["decline", "yes", "context-file"],
    },
    "context-file": textOption("path", "Summary of a harness as JSON, at most 64 KiB; - is stdin"),
    "organisation-location": {
      type: "string",
      values: organisationLocations,
      placeholder: "location",
      description: "apac, emea or americas; for a session without a workspace",
    },
    "no-last-error": { type: "boolean", description: "Leave out the last error of svc" },
    yes: {
      type: "boolean",
      description: "Send the report whose digest --approved-digest names",
      needs: "approved-digest",
    },
    "approved-digest": {
      ...textOption("sha256", "The bundleDigest of the report that was shown"),
      needs: "yes",
    },
    decline: {
      type: "boolean",
      description: "Send nothing, and say so",
      excludes: ["yes", "create-context-file"],
    },
    "no-open": { type: "boolean", description: "Do not open the draft in a browser" },
  },
  answer: ({ z }) =>
    z.union([
      z.strictObject({ contextFile: z.string() }),
      z.looseObject({
        status: z.enum([
          "consent_required",
          "consent_stale",
          "declined",
          "signed_out",
          "region_required",
          "created",
          "failed",
        ]),
        previewText: z.string().optional(),
        bundleDigest: z.string().optional(),
        url: z.string().optional(),
        expiresAt: z.string().optional(),
        chatUrl: z.string().optional(),
      }),
    ]),
  examples: [
    'svc support --description "The upload of plans.pdf stops at 40 %" --format json',
    "svc support --decline",
  ],
  trials: ["--decline", "--create-context-file"],
  async run({ options }, context) {
    const { runSupport } = await import("./support/run-support.ts");
    return runSupport(options, context);
  },
});
