import { missingField, usageError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { command } from "../command.ts";
import { confirm } from "../input/confirm.ts";
import { forceOption } from "../resources/records/options.ts";

export const accountSignOutCommand = command({
  path: "account sign-out",
  summary: "End one of your sessions, or all of them",
  description: "With --all also the session of this call, and tokens of `svc serve token`.",
  arguments: [{ name: "session", description: "ID; `svc account sessions`", optional: true }],
  options: {
    all: { type: "boolean", description: "Everywhere" },
    force: forceOption,
  },
  routes: ["DELETE /v4/identity/me/sessions/{sessionId}", "POST /v4/identity/me/revoke-tokens"],
  async run(input, context) {
    const { output, signal } = context;
    const { session } = input.arguments;
    const { all, force } = input.options;
    if ((session === undefined) === !all) {
      if (all) throw usageError("<session> and --all exclude each other");
      throw missingField("<session>", "Or end all of them with --all");
    }
    const sessionId = session === undefined ? undefined : (canonicalUuid(session) ?? session);
    const what = sessionId === undefined ? "all your sessions" : `the session ${sessionId}`;
    if (!force) await confirm(context, `End ${what}?`, "--force");
    const client = await context.clientWithoutWorkspace();
    if (sessionId === undefined) {
      const ended = await client.identity.revokeTokens({ signal });
      await output.data(ended, () => shown`All your tokens and sessions have ended`);
      return;
    }
    const ended = await client.identity.endSession({ params: { sessionId }, signal });
    await output.data(ended, () => shown`Ended the session ${sessionId}`);
  },
});
