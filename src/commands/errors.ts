import { nearest } from "#cli/input/nearest.ts";
import { catalogError, defaultExitCode, errorCatalog, type ErrorCode } from "#contract/errors.ts";
import { command } from "./kit/command.ts";

const codes = Object.keys(errorCatalog).filter(isErrorCode);

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorCatalog, text);
}

/** The code that the user typed, in any case. Throws E202 with the nearest code. */
function requireCode(typed: string): ErrorCode {
  const known = codes.find((code) => code.toLowerCase() === typed.toLowerCase());
  if (known !== undefined) return known;
  const near = nearest(
    typed.toUpperCase(),
    codes.map((code) => code.toUpperCase()),
  );
  const meant = codes.find((code) => code.toUpperCase() === near);
  const hint =
    meant === undefined ? "`svc errors` lists all codes" : `Did you mean \`svc errors ${meant}\`?`;
  throw catalogError("E202", { resource: `Error code ${typed}` }, { hint });
}

/** `svc errors`: the catalog of spec 7.1 and the other named errors. */
export default command({
  path: "errors",
  summary: "List the error catalog, or explain one code",
  description:
    "Exit codes: 0 done; 1 an error or a result that is not success; 2 wrong usage; 4 sign-in " +
    "needed; 8 still pending when a wait ended; 130 interrupted. A case may differ from the exit " +
    "code in the catalog: with `--format json` the error names its own.",
  rows: ["errors"],
  arguments: [{ name: "code", description: "For example E201", optional: true }],
  options: {},
  answer: ({ z }) => {
    const entry = z.strictObject({
      code: z.string(),
      message: z.string(),
      suggestion: z.string(),
      exitCode: z.int(),
      raised: z.string().optional(),
    });
    return z.union([z.strictObject({ errors: z.array(entry) }), entry]);
  },
  examples: ["svc errors", "svc errors E102", "svc errors context_invalid"],
  trials: ["", "E302"],
  async run(input, { output }) {
    const { errorOccasions } = await import("#contract/error-occasions.ts");
    const explained = (code: ErrorCode) => ({
      code,
      ...errorCatalog[code],
      exitCode: defaultExitCode(code),
      raised: errorOccasions[code],
    });
    const typed = input.arguments.code;
    if (typed !== undefined) {
      const { code, message, suggestion, exitCode, raised } = explained(requireCode(typed));
      return output.data({ code, message, suggestion, exitCode, raised }, () =>
        output
          .fields([
            ["code", code],
            ["message", message],
            ["suggestion", suggestion],
            ["exit code", String(exitCode)],
            ["raised", raised],
          ])
          .map((line) => output.hanging(line, 12)),
      );
    }
    const rows = codes.map(explained);
    await output.data({ errors: rows }, () =>
      output.table(rows, [
        { heading: "code", value: (row) => row.code, whole: true },
        { heading: "exit", value: (row) => String(row.exitCode), whole: true },
        { heading: "message", value: (row) => row.message },
        { heading: "suggestion", value: (row) => row.suggestion },
      ]),
    );
  },
});
