import type { Environment } from "./theme.ts";

/** The characters that a terminal draws: all, those of code page 437, or ASCII alone. */
export type Charset = "unicode" | "console" | "ascii";

/** The charset of a terminal by its locale and its kind; without a locale it is Unicode. */
export function charsetOf({ env, platform }: Environment): Charset {
  const { TERM = "", LC_ALL, LC_CTYPE, LANG } = env;
  if (/^vt\d/.test(TERM)) return "ascii";
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  if (platform !== "win32" && locale !== "" && !/utf-?8/i.test(locale)) return "ascii";
  return TERM === "linux" ? "console" : "unicode";
}
