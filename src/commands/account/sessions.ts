import { command } from "../kit/command.ts";
import { pageQuery, printPage } from "../kit/output/pages.ts";

export default command({
  path: "account sessions",
  summary: "List your sessions with device and last use",
  rows: ["items"],
  arguments: [],
  options: {},
  pages: { of: "Sessions" },
  calls: ["identity.sessions"],
  answer: "identity.sessions",
  async run({ options }, context) {
    const { output, signal } = context;
    const client = await context.clientWithoutWorkspace();
    const list = await client.identity.sessions({ query: pageQuery(options), signal });
    await printPage(output, list, {
      options,
      none: "You have no sessions",
      columns: [
        { heading: "signed in", value: ({ signedInAt }) => signedInAt },
        { heading: "last used", value: ({ lastUsedAt }) => lastUsedAt },
        { heading: "device", value: ({ device }) => device ?? "" },
        { heading: "this one", value: ({ current }) => (current === true ? "yes" : "") },
        { heading: "id", value: ({ sessionId }) => sessionId, whole: true },
      ],
    });
  },
});
