import { missingField, usageError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { command } from "../kit/command.ts";

export default command({
  path: "account sign-out",
  summary: "End one of your sessions, or all of them",
  description: "With --all also the session of this call, and tokens of `svc serve token`.",
  arguments: [{ name: "session", description: "ID; `svc account sessions`", optional: true }],
  options: {
    all: { type: "boolean", description: "Everywhere" },
  },
  calls: ["identity.endSession", "identity.revokeTokens"],
  answer: ["identity.endSession", "identity.revokeTokens"],
  trials: [
    { words: "session:17 --force", at: ["other", "stub"] },
    { words: "--all --force", at: ["other", "stub"] },
  ],
  confirms({ arguments: { session }, options: { all } }) {
    const sessionId = sessionIdOf(session, all);
    return sessionId === undefined ? "End all your sessions?" : `End the session ${sessionId}?`;
  },
  async run(input, context) {
    const { output, signal } = context;
    const sessionId = sessionIdOf(input.arguments.session, input.options.all);
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

/** The session to end; undefined for all of them. Throws for both and for neither. */
function sessionIdOf(session: string | undefined, all: boolean): string | undefined {
  if (session !== undefined && all) throw usageError("<session> and --all exclude each other");
  if (session === undefined && !all) {
    throw missingField("<session>", "Or end all of them with --all");
  }
  return session === undefined ? undefined : (canonicalUuid(session) ?? session);
}
