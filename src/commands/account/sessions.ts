import { shown } from "#cli/shown.ts";
import { command } from "../command.ts";
import { cursorOption, limitOption, nextPage, pageOption } from "../resources/records/options.ts";

export const accountSessionsCommand = command({
  path: "account sessions",
  summary: "List your sessions with device and last use",
  rows: ["items"],
  arguments: [],
  options: {
    page: pageOption("cursor"),
    limit: limitOption("Sessions per page"),
    cursor: cursorOption,
  },
  routes: ["GET /v4/identity/me/sessions"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const client = await context.clientWithoutWorkspace();
    const { cursor, limit, page } = options;
    const place = cursor === undefined ? { page } : { cursor };
    const list = await client.identity.sessions({ query: { limit, ...place }, signal });
    await output.data(list, () =>
      output.table(list.items, [
        { heading: "signed in", value: ({ signedInAt }) => signedInAt },
        { heading: "last used", value: ({ lastUsedAt }) => lastUsedAt },
        { heading: "device", value: ({ device }) => device ?? "" },
        { heading: "this one", value: ({ current }) => (current === true ? "yes" : "") },
        { heading: "id", value: ({ sessionId }) => sessionId, whole: true },
      ]),
    );
    if (output.isJson) return;
    if (list.items.length === 0) await output.note(shown`You have no sessions`);
    if (list.items.length === 0 || list.hasNextPage !== true) return;
    await output.note(output.tone("dim", `More: ${nextPage(list, options)}`));
  },
});
