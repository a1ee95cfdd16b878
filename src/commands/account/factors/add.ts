import { textOption } from "#cli/command.ts";
import { inputError } from "#cli/errors.ts";
import { Shown, shown } from "#cli/shown.ts";
import type { Client } from "#client/surface.ts";
import type { AddedFactor, ConfirmedFactor } from "#contract/access/factors.ts";
import { CatalogError } from "#contract/errors.ts";
import { given } from "#lib/given.ts";
import { command } from "../../kit/command.ts";
import type { CommandContext } from "../../kit/context.ts";
import { canAsk } from "../../kit/input/confirm.ts";
import { Conversation } from "../../kit/input/conversation.ts";
import { passwordWords, presentPassword, printCodes } from "./factor-input.ts";

/** Wrong codes before the command ends; the app can be confirmed later. */
const tries = 3;

export default command({
  path: "account factors add",
  summary: "Add an app that shows codes as a second factor",
  description:
    "On a terminal it shows a QR code and the secret, and asks for the first code. Without one " +
    `it prints the secret, and \`svc account factors confirm\` follows. ${passwordWords}`,
  arguments: [],
  options: { name: textOption("name", "Your name for the app") },
  calls: ["factors.add", "factors.confirm"],
  answer: ["factors.add", "factors.confirm"],
  trials: [
    { words: "", stdin: "password\n", at: ["other"] },
    { words: "", stdin: "password\n123456\n", at: ["stub"] },
  ],
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.clientWithoutWorkspace();
    const conversation = new Conversation(context);
    try {
      const currentPassword = await presentPassword(context, conversation);
      const { name } = input.options;
      const body = { currentPassword, ...given({ name }) };
      const added = await client.factors.add({ body, signal });
      const next = `svc account factors confirm ${added.factor.factorId}`;
      if (!canAsk(context)) {
        await output.data(added, () =>
          output.fields([
            ["id", added.factor.factorId],
            ["secret", added.secret],
            ["address", added.uri],
            ["expires", added.expiresAt],
          ]),
        );
        if (!output.isJson) await output.note(shown`Next: ${next} <code of the app>`);
        return;
      }
      await printApp(context, added);
      const confirmed = await confirmedOnTerminal(context, { client, conversation, added, next });
      await output.data(confirmed, () => shown`Added the second factor ${nameOf(confirmed)}`);
      await printCodes(context, confirmed.recoveryCodes ?? []);
    } finally {
      await conversation.close();
    }
  },
});

async function printApp(context: CommandContext, added: AddedFactor): Promise<void> {
  const { environment, output } = context;
  const { renderUnicodeCompact } = await import("uqr");
  const picture = renderUnicodeCompact(added.uri, { border: 1 });
  const width = picture.indexOf("\n");
  await output.note(shown`Scan this with an authenticator app, or type the secret into it:`);
  await output.note(shown`${added.secret}`);
  // Last: the picture and the question fit 24 lines.
  if (width > 0 && width <= environment.stderr.columns) await output.note(Shown.block(picture));
}

async function confirmedOnTerminal(
  context: CommandContext,
  asked: {
    readonly client: Pick<Client, "factors">;
    readonly conversation: Conversation;
    readonly added: AddedFactor;
    readonly next: string;
  },
): Promise<ConfirmedFactor> {
  const { client, conversation, added, next } = asked;
  const { output, signal } = context;
  const params = { factorId: added.factor.factorId };
  for (let left = tries; left > 0; left -= 1) {
    const code = await conversation.ask(shown`Code that the app shows: `);
    if (code === "") break;
    try {
      return await client.factors.confirm({ params, body: { code }, signal });
    } catch (error) {
      const isWrong = error instanceof CatalogError && error.status === 422;
      if (!isWrong) throw error;
      await output.note(shown`This is not the code that the app shows now`);
    }
  }
  throw inputError("the app is not confirmed", `Within 15 minutes: \`${next} <code>\``);
}

function nameOf({ factor }: ConfirmedFactor): string {
  return factor.name ?? factor.factorId;
}
