import { Shown, shown } from "#cli/shown.ts";
import { command } from "./kit/command.ts";
import { openBrowser } from "./kit/sign-in/browser.ts";
import { rememberPlatform, rememberWorkspace, signInSettings } from "./kit/sign-in/profile.ts";
import { findWorkspace } from "./kit/workspaces/find.ts";

/** `svc login`: PKCE in a browser, or a code on another device (spec 5.3, RFC 8252, RFC 8628). */
export default command({
  path: "login",
  summary: "Sign in to the platform",
  description:
    "Opens a browser for sign-in and waits for its answer on 127.0.0.1. On a machine without a " +
    "browser use --device: it shows a code to enter on another device. Scripts set SVC_TOKEN. " +
    "The profile remembers the platform.",
  signsIn: true,
  isServer: true,
  arguments: [],
  options: {
    "tenant-name": {
      type: "string",
      description: "Then select this workspace, by slug",
      excludes: ["tenant-id"],
    },
    "tenant-id": { type: "string", description: "Then select this workspace, by ID" },
    "auth-url": {
      type: "string",
      placeholder: "url",
      description:
        "OpenID provider of the platform (default: the one that it names; also SVC_AUTH_URL)",
    },
    "client-id": {
      type: "string",
      placeholder: "id",
      description: "Client at that provider (default: the one that the platform names, or svc)",
    },
    scope: { type: "string", description: "Scopes to request, separated by spaces" },
    "callback-port": {
      type: "number",
      minimum: 1,
      maximum: 65_535,
      description: "Fixed port of the callback (default: a free one)",
      excludes: ["device"],
    },
    device: { type: "boolean", description: "Sign in on another device" },
  },
  answer: ({ z }) =>
    z.strictObject({
      signedIn: z.literal(true),
      email: z.string().optional(),
      baseUrl: z.string(),
      workspace: z.looseObject({ id: z.string() }).optional(),
    }),
  trials: [],
  async run({ options }, context) {
    const { output, signal } = context;
    const [{ withAuthUrl }, { signIn }] = await Promise.all([
      import("#local/configuration/settings.ts"),
      import("#auth/sign-in.ts"),
    ]);
    const settings = withAuthUrl(await context.settings(), options["auth-url"]);
    const baseUrl = settings.baseUrl.value;
    const state = await signIn({
      settings: signInSettings(settings),
      clientId: options["client-id"],
      insecureHttp: context.insecureHttp,
      device: options.device,
      scope: options.scope,
      callbackPort: options["callback-port"],
      signal,
      fetch: context.environment.fetch,
      openBrowser: async (url) => {
        if (await openBrowser(context.environment, url)) return;
        // The browser's answer goes to a port of this machine.
        await output.note(
          Shown.joined(
            [
              "No browser could be opened: open the address above on this machine, or use",
              "`svc login --device` with a browser on another one",
            ],
            " ",
          ),
        );
      },
      // The address and the code have their own lines, so that they can be copied whole.
      say: async (words, { url, code }) => {
        await output.note(
          code === undefined
            ? Shown.block(words.replace(` ${url}`, `\n${url}`))
            : shown`On any device open\n${url}\nand enter the code\n${output.tone("strong", code)}`,
        );
      },
    });
    await rememberPlatform(settings);
    const name = options["tenant-id"] ?? options["tenant-name"];
    const workspace =
      name === undefined
        ? undefined
        : await rememberWorkspace(context, await findWorkspace(context, name));
    await output.data({ signedIn: true, email: state.email, baseUrl, workspace }, () => {
      const name = state.email ?? state.subject;
      return shown`Signed in ${name === undefined ? "" : `as ${name} `}at ${baseUrl}`;
    });
    if (workspace === undefined && settings.workspace === undefined) {
      await output.note(
        output.tone("dim", "Next: svc workspace list --all, svc workspace select <slug>"),
      );
    }
  },
});
