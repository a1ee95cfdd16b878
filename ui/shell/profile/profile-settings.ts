import { isJsonObject, membersOf } from "#lib/json/value.ts";
import { plainLine } from "#lib/text/terminal.ts";
import type { PictureSetting } from "../../kit/picture/terminal-pictures.ts";

/** The parts of a profile that its user writes for the dashboard, validated. */

/** A key that runs a program of this machine at a row of some lists. */
export interface Plugin {
  readonly key: string;
  /** Object Types by their slugs, or places such as `documents`; all lists when empty. */
  readonly at: readonly string[];
  readonly words: string;
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly [string, ...string[]];
  readonly confirm: boolean;
  /** It gets the terminal until it ends; otherwise its output is shown at its end. */
  readonly terminal: boolean;
}

export interface ProfileSettings {
  /** Every change is refused before it is sent. */
  readonly read_only: boolean;
  readonly mouse: boolean;
  /** Whether pages are drawn: as the terminal says, or in this way. */
  readonly pictures: PictureSetting;
  /** Lines of the palette by their short names. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Lines of the palette by their keys. */
  readonly hotkeys: Readonly<Record<string, string>>;
  readonly plugins: readonly Plugin[];
}

export type SettingName = keyof ProfileSettings;

export const noSettings: ProfileSettings = {
  read_only: false,
  mouse: false,
  pictures: false,
  aliases: {},
  hotkeys: {},
  plugins: [],
};

const mostEntries = 50;
const longestLine = 500;
const mostWords = 50;

/** Thrown for a setting that is not valid; the message completes the name of the setting. */
export class SettingFault extends Error {}

function fault(words: string): never {
  throw new SettingFault(words);
}

function flag(value: unknown): boolean {
  return typeof value === "boolean" ? value : fault("must be true or false");
}

function pictures(value: unknown): PictureSetting {
  if (typeof value === "boolean" || value === "kitty" || value === "sixel") return value;
  return fault('must be true, false, "kitty" or "sixel"');
}

function line(value: unknown, at: string, most = longestLine): string {
  if (typeof value !== "string" || value.trim() === "") return fault(`${at} must be a text`);
  const text = plainLine(value).trim();
  return text.length <= most ? text : fault(`${at} has more than ${most} characters`);
}

function ownKey(value: string, at: string): string {
  if (/^alt\+[a-z0-9]$/.test(value)) return value;
  return fault(`${at} must be alt+ and a small letter or a digit, such as alt+1`);
}

function entriesOf(value: unknown): [string, unknown][] {
  if (!isJsonObject(value)) return fault("must be an object of names and texts");
  const entries = Object.entries(value);
  return entries.length <= mostEntries ? entries : fault(`has more than ${mostEntries} entries`);
}

function aliases(value: unknown): Record<string, string> {
  return Object.fromEntries(
    entriesOf(value).map(([name, text]) => {
      if (!/^[a-z][a-z0-9_-]{0,31}$/.test(name)) {
        const shown = JSON.stringify(name.slice(0, 40));
        fault(`${shown} must be 1 to 32 small letters, digits, dashes or underscores`);
      }
      return [name, line(text, name)];
    }),
  );
}

function hotkeys(value: unknown): Record<string, string> {
  return Object.fromEntries(
    entriesOf(value).map(([key, text]) => [
      ownKey(key, JSON.stringify(key.slice(0, 40))),
      line(text, key),
    ]),
  );
}

const pluginMembers: ReadonlySet<string> = new Set(
  "key at words command confirm terminal".split(" "),
);

function texts(value: unknown, at: string): string[] {
  if (!Array.isArray(value) || value.length > mostWords) {
    return fault(`${at} must be a list of at most ${mostWords} texts`);
  }
  return value.map((each: unknown, index) => {
    // A program gets its arguments as they are; only a NUL can't be passed.
    if (typeof each === "string" && !each.includes("\0") && each.length <= longestLine) return each;
    return fault(`${at}[${index}] must be a text of at most ${longestLine} characters`);
  });
}

function plugin(value: unknown, index: number): Plugin {
  const at = `[${index}]`;
  const members = membersOf(value) ?? fault(`${at} must be an object`);
  for (const name of members.keys()) {
    if (!pluginMembers.has(name)) fault(`${at} has ${JSON.stringify(name)}, which is not known`);
  }
  const key = ownKey(line(members.get("key"), `${at}.key`), `${at}.key`);
  const [program = "", ...rest] = texts(members.get("command"), `${at}.command`);
  if (program === "") fault(`${at}.command must begin with a program`);
  const choice = (name: string, otherwise: boolean) => {
    const chosen = members.get(name) ?? otherwise;
    return typeof chosen === "boolean" ? chosen : fault(`${at}.${name} must be true or false`);
  };
  return {
    key,
    at: members.has("at") ? texts(members.get("at"), `${at}.at`) : [],
    words: line(members.get("words") ?? program, `${at}.words`, 60),
    command: [program, ...rest],
    confirm: choice("confirm", true),
    terminal: choice("terminal", false),
  };
}

function plugins(value: unknown): Plugin[] {
  if (!Array.isArray(value) || value.length > mostEntries) {
    return fault(`must be a list of at most ${mostEntries} plugins`);
  }
  const all = value.map(plugin);
  const twice = all.find(({ key }, index) => all.findIndex((one) => one.key === key) !== index);
  return twice === undefined ? all : fault(`has the key ${twice.key} twice`);
}

const readers: { readonly [Name in SettingName]: (value: unknown) => ProfileSettings[Name] } = {
  read_only: flag,
  mouse: flag,
  pictures,
  aliases,
  hotkeys,
  plugins,
};

export const settingNames = Object.keys(readers) as readonly SettingName[];

/** The value of one setting. Throws {@link SettingFault} for one that is not valid. */
export function readSetting(name: SettingName, value: unknown): ProfileSettings[SettingName] {
  return readers[name](value);
}

/** The settings of a profile; `faults` has a line for each one that is not used. */
export function readProfileSettings(stored: Readonly<Record<string, unknown>>): {
  readonly settings: ProfileSettings;
  readonly faults: readonly string[];
} {
  const faults: string[] = [];
  const known: Record<string, unknown> = {};
  for (const name of settingNames) {
    if (stored[name] === undefined) continue;
    try {
      known[name] = readSetting(name, stored[name]);
    } catch (error) {
      if (!(error instanceof SettingFault)) throw error;
      faults.push(`${name} ${error.message}`);
    }
  }
  const settings: ProfileSettings = { ...noSettings, ...known };
  const both = settings.plugins.find(({ key }) => Object.hasOwn(settings.hotkeys, key));
  if (both === undefined) return { settings, faults };
  faults.push(`plugins has the key ${both.key}, which hotkeys has too`);
  return { settings: { ...settings, plugins: [] }, faults };
}
