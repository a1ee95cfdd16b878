import { exitCodes } from "#contract/errors.ts";
import type { Sourced } from "#local/surface.ts";
import { command } from "./command.ts";

function from(sourced: Sourced<unknown> | undefined): string {
  if (sourced === undefined) return "";
  return sourced.name === undefined ? sourced.source : `${sourced.source}: ${sourced.name}`;
}

/** `svc whoami`: local state only, and where each value came from (spec 5.4). */
export const whoamiCommand = command({
  path: "whoami",
  summary: "Show who is signed in, where, and which settings apply",
  arguments: [],
  options: {},
  async run(_input, context) {
    const { output } = context;
    const [settings, session] = await Promise.all([context.settings(), context.session()]);
    const state = await session.state();
    const signIn = state.signedIn
      ? {
          signedIn: true,
          source: state.source,
          email: state.claims.email,
          name: state.claims.name,
          oid: state.claims.subject,
          expiresAt: state.expiresAt,
          expired: state.expired,
          renewable: state.renewable,
        }
      : { signedIn: false, otherOrigins: state.otherOrigins };
    const answer = {
      ...signIn,
      settings: {
        profile: settings.profile,
        baseUrl: settings.baseUrl,
        authUrl: settings.authUrl,
        workspace: settings.workspace,
        appKey: settings.appKey,
        configDirectory: settings.configDirectory,
      },
    };
    const workspace = settings.workspace?.value;
    const rows: (readonly [string, string | undefined, string])[] = [
      ["user", state.signedIn ? (state.claims.email ?? state.claims.subject) : "not signed in", ""],
      ["base URL", settings.baseUrl.value, from(settings.baseUrl)],
      [
        "workspace",
        workspace === undefined
          ? "none"
          : "slug" in workspace
            ? `${workspace.slug} (${workspace.id})`
            : workspace.id,
        from(settings.workspace),
      ],
      ["profile", settings.profile.value, from(settings.profile)],
      ["app", settings.appKey?.value, from(settings.appKey)],
      ["files", settings.configDirectory.value, from(settings.configDirectory)],
    ];
    await output.data(answer, () =>
      output.fields(
        rows.map(([name, value, source]) => [
          name,
          value === undefined || source === "" ? value : `${value}  [${source}]`,
        ]),
      ),
    );
    if (state.signedIn) return exitCodes.done;
    const others = state.otherOrigins.map((origin) => output.plain(origin)).join(", ");
    await output.note(
      others === ""
        ? "Not signed in: run `svc login`"
        : `Signed in to ${others}, but not to ${settings.baseUrl.value}: run \`svc login\``,
    );
    return exitCodes.signInNeeded;
  },
});
