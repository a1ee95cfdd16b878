import { openBrowser } from "./browser.ts";
import { command } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { rememberPlatform } from "./remember-platform.ts";

/** `svc login`: PKCE in a browser, or a code on another device (spec 5.3, RFC 8252, RFC 8628). */
export const loginCommand = command({
  path: "login",
  summary: "Sign in to the platform",
  description:
    "Opens a browser for sign-in and waits for its answer on 127.0.0.1. On a machine without a " +
    "browser use --device: it shows a code to type in on another one. Scripts set SVC_TOKEN. The " +
    "profile remembers the platform.",
  arguments: [],
  options: {
    "tenant-name": {
      type: "string",
      description: "Select this workspace afterwards, by slug",
      excludes: ["tenant-id"],
    },
    "tenant-id": { type: "string", description: "Select this workspace afterwards, by ID" },
    scope: { type: "string", description: "Scopes to ask for, separated by spaces" },
    "callback-port": {
      type: "number",
      minimum: 1,
      maximum: 65_535,
      description: "Fixed port of the callback (default: a free one)",
      excludes: ["device"],
    },
    device: { type: "boolean", description: "Sign in on another device" },
  },
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const settings = await context.settings();
    const { signIn } = await import("#auth/sign-in.ts");
    const state = await signIn({
      settings: {
        configDirectory: settings.configDirectory.value,
        profile: settings.profile.value,
        baseUrl: settings.baseUrl.value,
        authUrl: settings.authUrl.value,
      },
      device: options.device,
      scope: options.scope,
      callbackPort: options["callback-port"],
      signal,
      fetch: context.environment.fetch,
      openBrowser: async (url) => {
        if (await openBrowser(context.environment, url)) return;
        // Its answer comes back to this machine only.
        await output.note(
          "No browser could be opened: open the address above on this machine, or use " +
            "`svc login --device` with a browser on another one",
        );
      },
      // The address and the code stand on lines of their own, to be copied whole.
      say: async (words, { url, code }) => {
        await output.note(
          code === undefined
            ? words.replace(` ${url}`, `\n${url}`)
            : `On any device open\n${url}\nand enter the code\n${output.tone("strong", code)}`,
        );
      },
    });
    await rememberPlatform(settings);
    const wanted = options["tenant-id"] ?? options["tenant-name"];
    const selected = wanted === undefined ? undefined : await select(context, wanted);
    await output.data(
      { signedIn: true, email: state.email, baseUrl: settings.baseUrl.value, workspace: selected },
      () =>
        `Signed in as ${output.plain(state.email ?? state.subject)} at ${settings.baseUrl.value}`,
    );
    if (selected === undefined && settings.workspace === undefined) {
      await output.note(
        output.tone("dim", "Next: svc workspace list --all, svc workspace select <slug>"),
      );
    }
  },
});

async function select(
  context: CommandContext,
  wanted: string,
): Promise<{ id: string; slug: string }> {
  const [{ findWorkspace }, { rememberWorkspace }] = await Promise.all([
    import("./workspace/find.ts"),
    import("./workspace/remember.ts"),
  ]);
  return rememberWorkspace(context, await findWorkspace(context, wanted));
}
