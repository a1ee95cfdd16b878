import { missingField } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { command } from "../../kit/command.ts";
import { askLine, canAsk } from "../../kit/input/confirm.ts";
import { factorArgument, printCodes } from "./factor-input.ts";

export default command({
  path: "account factors confirm",
  summary: "Confirm a new app with the code that it shows",
  description: "Your first second factor also gives recovery codes, which are shown this once.",
  arguments: [
    factorArgument,
    { name: "code", description: "Six digits; a terminal is asked for them", optional: true },
  ],
  options: {},
  calls: ["factors.confirm"],
  answer: "factors.confirm",
  trials: [{ words: "factor:17 123456", at: ["other", "stub"] }],
  async run(input, context) {
    const { output, signal } = context;
    const { factor: factorId, code } = input.arguments;
    if (code === undefined && !canAsk(context)) {
      throw missingField("<code>", `svc account factors confirm ${factorId} <code of the app>`);
    }
    const typed = code ?? (await askLine(context, shown`Code that the app shows: `));
    const client = await context.clientWithoutWorkspace();
    const body = { code: typed };
    const confirmed = await client.factors.confirm({ params: { factorId }, body, signal });
    await output.data(
      confirmed,
      () => shown`Added the second factor ${confirmed.factor.name ?? factorId}`,
    );
    if (!output.isJson) await printCodes(context, confirmed.recoveryCodes ?? []);
  },
});
