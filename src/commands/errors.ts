import { catalogError, errorCatalog } from "#contract/errors.ts";
import type { ErrorCode } from "#contract/errors.ts";
import { command } from "./command.ts";

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorCatalog, text);
}

/** `svc errors [code]`: the error catalog (spec 7.1). */
export const errorsCommand = command({
  path: "errors",
  summary: "List the error catalog, or explain one code",
  arguments: [{ name: "code", description: "For example E201", optional: true }],
  options: {},
  examples: ["svc errors", "svc errors E102"],
  async run(input, { output }) {
    const asked = input.arguments.code?.toUpperCase();
    if (asked !== undefined && !isErrorCode(asked)) {
      throw catalogError("E202", { resource: `Error code ${asked}` });
    }
    const codes = Object.keys(errorCatalog).filter(isErrorCode);
    const rows = codes
      .filter((code) => asked === undefined || code === asked)
      .map((code) => ({ code, ...errorCatalog[code] }));
    if (asked !== undefined) {
      const [entry] = rows;
      await output.data(entry, (row) =>
        output.fields([
          ["code", row?.code],
          ["message", row?.message],
          ["suggestion", row?.suggestion],
        ]),
      );
      return;
    }
    await output.data({ errors: rows }, () =>
      output.table(rows, [
        { heading: "code", value: (row) => row.code, whole: true },
        { heading: "message", value: (row) => row.message },
        { heading: "suggestion", value: (row) => row.suggestion },
      ]),
    );
  },
});
