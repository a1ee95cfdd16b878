import type * as zod from "zod";
import { shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import type { SignInState } from "#auth/surface.ts";
import type { Sourced } from "#local/surface.ts";
import { command } from "./kit/command.ts";

function sourceOf(sourced: Sourced<unknown> | undefined): string {
  if (sourced === undefined) return "";
  return sourced.name === undefined ? sourced.source : `${sourced.source}: ${sourced.name}`;
}

function userText(state: SignInState): string {
  if (!state.signedIn) return "not signed in";
  return (
    state.claims.email ?? state.claims.subject ?? "unknown: the token has no claims (an API key)"
  );
}

/** `svc whoami`: local state only, with the source of each value (spec 5.4). */
export default command({
  path: "whoami",
  summary: "Show who is signed in, where, and which settings apply",
  signsIn: true,
  arguments: [],
  options: {},
  answer: ({ z }) => {
    const sourced = <Value extends zod.ZodType>(value: Value) =>
      z.strictObject({ value, source: z.string(), name: z.string().optional() });
    const settings = z.strictObject({
      profile: sourced(z.string()),
      baseUrl: sourced(z.string()),
      authUrl: sourced(z.string()),
      workspace: sourced(z.looseObject({ id: z.string() })).optional(),
      appKey: sourced(z.string()).optional(),
      configDirectory: sourced(z.string()),
    });
    return z.union([
      z.strictObject({
        signedIn: z.literal(true),
        source: z.enum(["environment", "tokens.json"]),
        email: z.string().optional(),
        name: z.string().optional(),
        oid: z.string().optional(),
        expiresAt: z.string().optional(),
        expired: z.boolean(),
        renewable: z.boolean(),
        settings,
      }),
      z.strictObject({
        signedIn: z.literal(false),
        otherOrigins: z.array(z.string()),
        settings,
      }),
    ]);
  },
  trials: [],
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
    const { profile, baseUrl, authUrl, workspace, appKey, configDirectory } = settings;
    const selected = workspace?.value;
    const workspaceText =
      selected !== undefined && "slug" in selected
        ? `${selected.slug} (${selected.id})`
        : (selected?.id ?? "none");
    const rows: (readonly [string, string | undefined, string])[] = [
      ["user", userText(state), ""],
      ["base URL", baseUrl.value, sourceOf(baseUrl)],
      ...(authUrl.source === "default"
        ? []
        : [["provider", authUrl.value, sourceOf(authUrl)] as const]),
      ["workspace", workspaceText, sourceOf(workspace)],
      ["profile", profile.value, sourceOf(profile)],
      ["app", appKey?.value, sourceOf(appKey)],
      ["files", configDirectory.value, sourceOf(configDirectory)],
    ];
    const known = { profile, baseUrl, authUrl, workspace, appKey, configDirectory };
    await output.data({ ...signIn, settings: known }, () =>
      output.fields(
        rows.map(([name, value, source]) => [
          name,
          value === undefined || source === "" ? value : `${value}  [${source}]`,
        ]),
      ),
    );
    if (state.signedIn) return exitCodes.done;
    const others = state.otherOrigins.join(", ");
    await output.note(
      others === ""
        ? shown`Not signed in: run \`svc login\``
        : shown`Signed in to ${others}, but not to ${baseUrl.value}: run \`svc login\``,
    );
    return exitCodes.signInNeeded;
  },
});
