import { textOption } from "#cli/command.ts";
import { missingField, usageError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import type { Client } from "#client/surface.ts";
import { CatalogError, catalogError } from "#contract/errors.ts";
import type { IdpAppSecret, IdpRegistration as Registration } from "#contract/apps/idp-apps.ts";
import { projectEnvFile } from "../kit/apps/binding.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import type { CommandContext } from "../kit/context.ts";

const names = {
  issuer: "SVC_AUTH_ISSUER",
  clientId: "SVC_AUTH_CLIENT_ID",
  secret: "SVC_AUTH_CLIENT_SECRET",
} as const;
const registrations = "/v4/platform/provisioning/idp-apps";
/** The address at which `svc dev` serves the app. */
const developmentRedirect = "http://localhost:3000/auth/callback";
const rotateHint = "`svc provision entra --rotate-secret` makes a new secret";

interface Options {
  readonly force: boolean;
  readonly "rotate-secret": boolean;
  readonly deauthorize: boolean;
  readonly "client-id"?: string;
  readonly "keep-registration": boolean;
  readonly "redirect-uri": readonly string[];
  readonly "post-logout-redirect-uri": readonly string[];
  readonly pkce?: "required" | "optional";
  readonly "tenant-id"?: string;
}

/** A registration as `.env.local` has it. */
interface Present {
  readonly file: string;
  readonly clientId: string | undefined;
  readonly secret: string | undefined;
}

interface Work {
  readonly options: Options;
  readonly context: CommandContext;
  readonly client: Client;
  readonly present: Present;
  /** The client that the call is about. */
  readonly clientId: string | undefined;
  trace(request: string): Promise<void>;
}

function requireSound(options: Options): void {
  if (options.deauthorize && !options.force) {
    throw missingField("--force", "--deauthorize ends every sign-in of the app");
  }
}

async function presentIn(context: CommandContext): Promise<Present> {
  const file = await projectEnvFile(context);
  const { project } = await context.settings();
  if (project?.envFile === undefined) return { file, clientId: undefined, secret: undefined };
  const { parseEnv, readEnvText } = await import("#local/env/file.ts");
  const variables = parseEnv(await readEnvText(file));
  const value = (name: string): string | undefined => variables.get(name) || undefined;
  return { file, clientId: value(names.clientId), secret: value(names.secret) };
}

/** Writes what the answer has; a secret of another client leaves the file. */
async function save({ present }: Work, answer: IdpAppSecret): Promise<void> {
  const { clientId, clientSecret, issuer } = answer;
  const isSame = clientId === present.clientId;
  const { setEnvVariables } = await import("#local/env/file.ts");
  try {
    await setEnvVariables(present.file, {
      ...(issuer === undefined ? {} : { [names.issuer]: issuer }),
      [names.clientId]: clientId,
      [names.secret]: clientSecret ?? (isSame ? present.secret : undefined),
    });
  } catch (error) {
    if (!(error instanceof CatalogError) || clientSecret === undefined) throw error;
    const details = `${error.message}; the new secret is lost`;
    throw catalogError("E006", { details }, { hint: rotateHint });
  }
}

/** The parts of a registration that only the options name. */
function optionalParts(options: Options): Pick<Registration, "postLogoutRedirectUris" | "pkce"> {
  const { pkce, "post-logout-redirect-uri": given } = options;
  return {
    ...(given.length > 0 ? { postLogoutRedirectUris: [...given] } : {}),
    ...(pkce === undefined ? {} : { pkce }),
  };
}

async function create(work: Work): Promise<IdpAppSecret> {
  const { client, context, options } = work;
  const key = (await context.settings()).appKey?.value;
  if (key === undefined) {
    throw missingField("SVC_APP_KEY", "`svc app select <key>` binds the project to an app");
  }
  const given = options["redirect-uri"];
  const redirectUris = given.length > 0 ? [...given] : [developmentRedirect];
  const body = { key, redirectUris, ...optionalParts(options) };
  await work.trace(`POST ${registrations} key=${key}`);
  return client.idpApps.provision({ body, signal: context.signal });
}

/** Confirms the registration; the newest secret in `.env.local` ends an older one. */
async function confirm(work: Work, clientId: string): Promise<IdpAppSecret> {
  const { client, context, options, present } = work;
  const given = options["redirect-uri"];
  const hasSecret = present.clientId === clientId && present.secret !== undefined;
  const body = {
    clientId,
    ...(hasSecret ? { clientSecret: present.secret } : {}),
    ...(given.length > 0 ? { redirectUris: [...given] } : {}),
    ...optionalParts(options),
  };
  await work.trace(`POST ${registrations} clientId=${clientId}`);
  try {
    return await client.idpApps.provision({ body, signal: context.signal });
  } catch (error) {
    if (!(error instanceof CatalogError) || error.code !== "E202") throw error;
    const hint = "`svc provision entra --force` registers the app again";
    throw catalogError(
      "E202",
      { resource: `Client "${clientId}"` },
      { hint, status: error.status },
    );
  }
}

async function provision(work: Work): Promise<void> {
  const { clientId, context, options, present } = work;
  const { output, signal } = context;
  let answer: IdpAppSecret;
  if (options["rotate-secret"]) {
    if (clientId === undefined) {
      throw missingField("--client-id", `.env.local has no ${names.clientId}`);
    }
    await work.trace(`POST ${registrations}/${clientId}/rotate-secret`);
    answer = await work.client.idpApps.rotateSecret({ params: { clientId }, signal });
  } else if (clientId === undefined || (options.force && options["client-id"] === undefined)) {
    answer = await create(work);
  } else answer = await confirm(work, clientId);
  if (options["rotate-secret"] && answer.clientSecret === undefined) {
    const details = `sent, outcome not confirmed: the response has no secret of ${clientId}`;
    throw catalogError("E203", { details }, { hint: rotateHint });
  }
  await save(work, answer);
  const { clientSecret, ...rest } = answer;
  const keepsSecret = answer.clientId === present.clientId && present.secret !== undefined;
  const hasSecret = clientSecret !== undefined || keepsSecret;
  await output.data(
    { ...rest, file: present.file, secretWritten: clientSecret !== undefined },
    () =>
      output.fields([
        ["client", answer.clientId],
        ["app", answer.key],
        ["issuer", answer.issuer],
        ["redirects", answer.redirectUris?.join(", ")],
        ["status", answer.status],
        ["written to", present.file],
      ]),
  );
  if (!hasSecret) {
    await output.note(shown`.env.local has no secret of this client: ${rotateHint}`);
  } else if (answer.rotationPending === true) {
    const next = "Bring the new one to every place, then `svc provision entra` ends the old one";
    await output.note(shown`The old secret still works. ${next}`);
  } else if (clientSecret !== undefined) {
    await output.note(shown`The secret is in .env.local only: keep the file private`);
  }
}

async function deauthorize(work: Work): Promise<void> {
  const { client, clientId, context, options, present } = work;
  const { output, signal } = context;
  if (clientId === undefined) {
    throw missingField("--client-id", `.env.local has no ${names.clientId}`);
  }
  const keepsRegistration = options["keep-registration"];
  await work.trace(`DELETE ${registrations}/${clientId}`);
  const receipt = await client.idpApps.remove({
    params: { clientId },
    ...(keepsRegistration ? { query: { keepRegistration: "true" } } : {}),
    signal,
  });
  const isOwn = present.clientId === clientId;
  if (isOwn && !keepsRegistration) {
    const { setEnvVariables } = await import("#local/env/file.ts");
    const removed = Object.values(names).map((name) => [name, undefined] as const);
    await setEnvVariables(present.file, Object.fromEntries(removed));
  }
  const status = receipt?.status ?? (keepsRegistration ? "deauthorized" : "deleted");
  const answer = { ...receipt, clientId, status };
  await output.data(answer, () =>
    output.fields([
      ["client", clientId],
      ["status", status],
      ["ended sessions", answer.endedSessions?.toString()],
    ]),
  );
}

export default command({
  path: "provision entra",
  summary: "Register the project's app for the sign-in of its users",
  description:
    "Creates the registration, or confirms the one in `.env.local`, and writes " +
    `${names.issuer}, ${names.clientId} and ${names.secret} there. After a rotation both secrets ` +
    "work until the next call without options confirms the new one.",
  arguments: [],
  options: {
    "tenant-id": tenantOption,
    force: {
      type: "boolean",
      description: "Replace the client in .env.local, or confirm --deauthorize",
    },
    "rotate-secret": {
      type: "boolean",
      description: "Make a new secret; the old one works until it is confirmed",
      excludes: ["deauthorize"],
    },
    deauthorize: {
      type: "boolean",
      description: "End the app's sign-ins and delete its registration; needs --force",
    },
    "client-id": textOption("id", "The client (default: the one in .env.local)"),
    "keep-registration": {
      type: "boolean",
      description: "Keep the deauthorized registration, which a later call confirms again",
      needs: "deauthorize",
    },
    "redirect-uri": {
      ...textOption("url", "Address that users return to (default: of `svc dev`)"),
      repeatable: true,
      excludes: ["rotate-secret", "deauthorize"],
    },
    "post-logout-redirect-uri": {
      ...textOption("url", "Address that users return to after a sign-out"),
      repeatable: true,
      excludes: ["rotate-secret", "deauthorize"],
    },
    pkce: {
      type: "string",
      values: ["required", "optional"],
      placeholder: "use",
      description: "Whether sign-ins need PKCE; optional for a library that cannot do it",
      excludes: ["rotate-secret", "deauthorize"],
    },
    debug: { type: "boolean", description: "Report each request on stderr, without secrets" },
  },
  calls: ["idpApps.provision", "idpApps.rotateSecret", "idpApps.remove"],
  answer: ({ z, reply }) =>
    z.union([
      reply("idpApps.remove"),
      z.looseObject({ clientId: z.string(), file: z.string(), secretWritten: z.boolean() }),
    ]),
  trials: [
    { words: "--client-id {id}", at: ["stub"] },
    { words: "", after: ["app select portal-{unique} --skip-validate"] },
    {
      words: "--rotate-secret",
      after: ["app select door-{unique} --skip-validate", "provision entra --force"],
    },
    {
      words: "--deauthorize --force",
      after: ["app select gate-{unique} --skip-validate", "provision entra --force"],
    },
  ],
  async run({ options }, context) {
    requireSound(options);
    const present = await presentIn(context);
    const given = options["client-id"];
    const clientId = given ?? present.clientId;
    const replaces = present.clientId !== undefined && clientId !== present.clientId;
    if (replaces && !options.force) {
      throw usageError(
        `--client-id "${clientId}" is not the client in .env.local`,
        "Replace it with --force",
      );
    }
    const client = await context.client({ workspace: options["tenant-id"] });
    const trace = async (request: string): Promise<void> => {
      if (options.debug) await context.output.note(shown`${request}`);
    };
    const work: Work = { options, context, client, present, clientId, trace };
    await (options.deauthorize ? deauthorize(work) : provision(work));
  },
});
