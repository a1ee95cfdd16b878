import { given } from "#lib/given.ts";
import { command } from "../kit/command.ts";
import { findWorkspace } from "../kit/workspaces/find.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "user provision-me",
  summary: "Make yourself known to the platform, and confirm a membership",
  arguments: [],
  options: { workspace: workspaceOption },
  calls: ["identity.provision"],
  answer: "identity.provision",
  async run(input, context) {
    const { output, signal } = context;
    const { workspace } = input.options;
    const client = await context.clientWithoutWorkspace();
    const tenantId =
      workspace === undefined ? undefined : (await findWorkspace(context, workspace)).id;
    const body = given({ tenantId });
    const me = await client.identity.provision({ body, signal });
    await output.data(me, () =>
      output.fields([
        ["oid", me.oid],
        ["e-mail", me.email],
        ["workspace", me.membership?.slug],
        ["role", me.membership?.role],
      ]),
    );
  },
});
