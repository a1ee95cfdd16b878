/**
 * Variables that would leak the test runner, the developer's own sign-in or a CI
 * machine into the program under test, and change what it draws or where it writes.
 */
const notInherited =
  /^(CI|NO_COLOR|FORCE_COLOR|CLICOLOR.*|COLORTERM|DEV|PROD|SSR|TEST|MODE|NODE_ENV|BASE_URL|VITE.*|__VITE.*|SVC_.*|BASE_URL_PUBLIC_API|AI_.*|TERM.*|TMUX.*|COLUMNS|LINES|npm_.*|BUN_.*|XDG_.*)$/;

/**
 * Most programs under test live for a second or two, and took a third of their processor time to
 * compile functions that soon ended. Without the optimizing compilers a test takes half the time.
 * A bench has them, as a user's program does: a request costs twice as much without.
 */
const compilation = process.env["VITEST"] === undefined ? {} : { BUN_JSC_useDFGJIT: "0" };

/**
 * The environment a program under test starts with: this process's own without what
 * would change its behaviour, then `extra`; an `undefined` in `extra` removes the name.
 */
export function cleanEnvironment(
  extra: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const environment: Record<string, string> = {};
  const all = { ...inherited(), ...compilation, LANG: "C.UTF-8", ...extra };
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

/** The environment of a user whose home is `home`, and who is not signed in elsewhere. */
export function userEnvironment(
  home: string,
  extra: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  return cleanEnvironment({ HOME: home, SVC_CONFIG_DIR: `${home}/.svc`, ...extra });
}

function inherited(): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !notInherited.test(name)),
  );
}

/** True on a machine that must not skip: a check that can't run there is a failure. */
export const mustNotSkip: boolean = ["1", "true"].includes(process.env["CI"] ?? "");
