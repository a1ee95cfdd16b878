import { shown } from "#cli/shown.ts";
import { authPath, signInPaths } from "#contract/access/sign-in.ts";
import { command } from "../../kit/command.ts";

export default command({
  path: "account factors list",
  summary: "List your second factors, and count your recovery codes",
  description:
    "Apps with codes, and passkeys. A passkey is added in a browser, at `/auth/factors` of the " +
    "platform.",
  rows: ["items"],
  arguments: [],
  options: {},
  calls: ["factors.list"],
  answer: "factors.list",
  async run(_input, context) {
    const { output, signal } = context;
    const client = await context.clientWithoutWorkspace();
    const list = await client.factors.list({ signal });
    await output.data(list, () =>
      output.table(list.items, [
        { heading: "name", value: ({ name }) => name },
        { heading: "kind", value: ({ kind }) => kind },
        { heading: "status", value: ({ status }) => status },
        { heading: "last used", value: ({ lastUsedAt }) => lastUsedAt?.slice(0, 10) ?? "never" },
        { heading: "id", value: ({ factorId }) => factorId, whole: true },
      ]),
    );
    if (output.isJson) return;
    const baseUrl = (await context.settings()).baseUrl.value;
    const passkeys = shown`Passkeys: open ${baseUrl}${authPath}${signInPaths.factors} in a browser`;
    if (list.items.length > 0) {
      await output.note(shown`Recovery codes left: ${String(list.recoveryCodesLeft ?? 0)}`);
      await output.note(output.tone("dim", passkeys));
      return;
    }
    const rule = list.required === true ? ", and this platform requires one" : "";
    await output.note(shown`You have no second factor${rule}`);
    await output.note(output.tone("dim", "Next: svc account factors add"));
    await output.note(output.tone("dim", passkeys));
  },
});
