import { shown } from "#cli/shown.ts";
import { usageFormatError } from "#cli/errors.ts";
import type { AgentHost } from "#mcp/host.ts";
import { command } from "./kit/command.ts";
import { tenantOption } from "./kit/workspaces/options.ts";
import type { CommandContext } from "./kit/context.ts";

const readOnlyWords = "Offer only tools that change nothing (default with a read-only profile)";

/** The platform with this profile's sign-in; every call takes a fresh token. */
async function hostOf(context: CommandContext, workspace: string | undefined): Promise<AgentHost> {
  const session = await context.session();
  // A missing sign-in is reported before the client connects.
  let token = await session.token();
  const [client, selected] = await Promise.all([
    workspace === undefined ? context.clientWithoutWorkspace() : context.client({ workspace }),
    context.settings().then((settings) => settings.workspace?.value.id),
  ]);
  const workspaceId = client.tenantId ?? selected;
  return {
    workspaceId,
    get secrets() {
      return [token];
    },
    async send({ method, path, ...request }) {
      token = await session.token();
      const { contentType, body, ...options } = request;
      return client.request(method, path, {
        ...options,
        tenantId: options.tenantId ?? workspaceId,
        ...(body === undefined ? {} : { body, contentType }),
      });
    },
    async *changes(changed, { onOpen, ...options }) {
      const watched = client.forTenant(changed);
      // A platform without a stream has its lists of records compared instead.
      for await (const event of watched.watch({ ...options, bookmarks: true, onPoll: onOpen })) {
        onOpen();
        if (event.type !== "svc.feed.bookmark") yield event;
      }
    },
  };
}

export default command({
  path: "mcp",
  summary: "Serve tools and resources to an agent over stdin and stdout",
  description:
    "A server of the Model Context Protocol: start it from the agent's configuration. Its tools " +
    "are the platform's routes; each call has the rights of this profile's sign-in. The list has " +
    "those for usual tasks, and one for each route that an app of the workspace declares; " +
    "tools_search finds the others and tools_call calls them. --tools " +
    "names sets: default, all, or domains such as resources, members and reviews. Without " +
    "default, only the tools of these sets can be called. A platform also serves the protocol " +
    "over HTTP at /mcp, with ?tools= and ?read-only=true.",
  arguments: [],
  options: {
    "tenant-id": {
      ...tenantOption,
      description: "Workspace of calls that name none, ID or slug (default: the selected one)",
    },
    "read-only": { type: "boolean", description: readOnlyWords },
    tools: {
      type: "string",
      placeholder: "set,…",
      description: "Sets of tools to offer (default: default, and the others by tools_search)",
    },
  },
  formats: false,
  calls: ["* /v4/…"],
  examples: ["svc mcp", "svc mcp --read-only --tools default,reviews"],
  trials: [],
  async run({ options }, context) {
    const { toolSets, unknownSets } = await import("#mcp/tool-sets.ts");
    const sets = options.tools?.split(",").map((name) => name.trim());
    const settings = await context.settings();
    const readOnly = options["read-only"] || settings.readOnly !== undefined;
    const selection = { readOnly, sets };
    const [unknown] = unknownSets(selection);
    if (unknown !== undefined) throw usageFormatError(`--tools "${unknown}"`, toolSets.join(", "));
    const host = await hostOf(context, options["tenant-id"]);
    const { environment, output, signal } = context;
    if (environment.stdin.isTerminal) {
      await output.note(shown`This server reads messages from an agent; Ctrl-C ends it`);
    }
    const { serveAgentOverStdio } = await import("#mcp/stdio.ts");
    await serveAgentOverStdio(host, selection, {
      input: environment.stdin.stream(),
      write: (text) => environment.stdout.write(text),
      signal,
    });
  },
});
