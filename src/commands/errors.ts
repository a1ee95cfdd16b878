import { catalogError, errorCatalog, type ErrorCode } from "#contract/errors.ts";
import { command } from "./command.ts";

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorCatalog, text);
}

export const errorsCommand = command({
  path: "errors",
  summary: "List the error catalog, or explain one code",
  arguments: [{ name: "code", description: "For example E201", optional: true }],
  options: {},
  examples: ["svc errors", "svc errors E102"],
  async run(input, { output }) {
    const code = input.arguments.code?.toUpperCase();
    if (code !== undefined) {
      if (!isErrorCode(code)) throw catalogError("E202", { resource: `Error code ${code}` });
      const entry = { code, ...errorCatalog[code] };
      return output.data(entry, () => output.fields(Object.entries(entry)));
    }
    const rows = Object.entries(errorCatalog).map(([name, entry]) => ({ code: name, ...entry }));
    await output.data({ errors: rows }, () =>
      output.table(rows, [
        { heading: "code", value: (row) => row.code, whole: true },
        { heading: "message", value: (row) => row.message },
        { heading: "suggestion", value: (row) => row.suggestion },
      ]),
    );
  },
});
