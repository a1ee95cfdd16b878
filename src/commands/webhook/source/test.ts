import { textOption } from "#cli/command.ts";
import { missingField } from "#cli/errors.ts";
import { exitCodes } from "#contract/errors.ts";
import { shown } from "#cli/shown.ts";
import { given } from "#lib/given.ts";
import { command } from "../../kit/command.ts";
import { parseJson, readText } from "../../kit/input/data.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { settingOptions, sourceArgument } from "./sources.ts";

export default command({
  path: "webhook source test",
  summary: "Show the effect that a call would have, without the effect",
  description: "Exit code 1 if the mapping fails.",
  arguments: [sourceArgument],
  options: {
    mapping: settingOptions.mapping,
    body: textOption("json", "Body of the call; `-` reads stdin, `@path` a file"),
    call: textOption("id", "A call that was received, instead of --body"),
    workspace: workspaceOption,
  },
  calls: ["webhookSources.test"],
  answer: "webhookSources.test",
  trials: ["{source} --body {}"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const { call: receivedId } = options;
    if (options.body === undefined && receivedId === undefined) {
      throw missingField("--body or --call");
    }
    const read = async (value: string | undefined, flag: string) =>
      value === undefined ? undefined : readText(context, value, flag);
    const text = await read(options.body, "--body");
    const mapping = await read(options.mapping, "--mapping");
    const body = text === undefined ? undefined : parseJson(text, "--body");
    const params = { source: input.arguments.source };
    const client = await context.client({ workspace: options.workspace });
    const trial = { ...given({ mapping, receivedId }), ...(text === undefined ? {} : { body }) };
    const outcome = await client.webhookSources.test({ params, body: trial, signal });
    await output.data(outcome, () =>
      outcome.error === null ? shown`${JSON.stringify(outcome.effect)}` : shown`${outcome.error}`,
    );
    return outcome.error === null ? exitCodes.done : exitCodes.failed;
  },
});
