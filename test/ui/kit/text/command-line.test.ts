import { describe, expect, it } from "vitest";
import { shellWord } from "#lib/text/shell-word.ts";
import { clipboardSequence, commandLine } from "#ui/kit/text/command-line.ts";

const target = {
  program: ["svc"],
  variables: { SVC_CONFIG_DIR: "/home/ada/own files", BASE_URL_PUBLIC_API: "https://p.example" },
  options: { profile: "work" },
};

/** The words that a shell makes of a text, and the variables that it sets for them. */
async function readBy(shell: string, text: string): Promise<string[]> {
  const show = 'svc() { printf "%s\\0" "$BASE_URL_PUBLIC_API" "$@"; }';
  const child = Bun.spawn([shell, "-c", `${show}\n${text}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const words = (await child.stdout.text()).split("\0");
  expect(await child.exited).toBe(0);
  return words.slice(0, -1);
}

const shells = ["sh", "bash", "dash", "zsh"].filter((name) => Bun.which(name) !== null);

describe("commands", () => {
  it("name the platform, the sign-in and what the command does", () => {
    expect(
      commandLine(target, ["resources", "list", "planning-application"], {
        where: `{"address":"it's"}`,
        sort: undefined,
        all: true,
        param: ["a=1", "b=2"],
      }),
    ).toBe(
      "SVC_CONFIG_DIR='/home/ada/own files' BASE_URL_PUBLIC_API=https://p.example " +
        `svc resources list planning-application --where '{"address":"it'\\''s"}' --all ` +
        "--param a=1 --param b=2 --profile work",
    );
  });

  it("keep words with a dash from being options", () => {
    const words = ["chat", "stream", "--force"];
    expect(commandLine({ ...target, variables: {} }, words, { output: "-x" })).toBe(
      "svc chat stream --output=-x --profile work -- --force",
    );
  });

  it("go to the clipboard as OSC 52", () => {
    expect(clipboardSequence("é")).toBe("\x1b]52;c;w6k=\x07");
  });
});

const hostile = [
  "",
  "it's",
  "$(touch /tmp/owned) `id` ${HOME} $HOME \\ !! * ? ~ # ; & | < > ( ) { } [ ]",
  '"double"',
  "-n",
  "two\nlines\n",
  "tab\there",
  "\x03rm -rf ~\r\x1b[201~\x15\x7f%s \\n",
  "\u202egpj.exe \u009b31m é 👨‍👩‍👧 \u2028",
];

describe.each(shells)("a word quoted for %s", (shell) => {
  it.each(hostile)("is read as it was: %j", async (word) => {
    const text = commandLine(target, ["x", word], { "a-name": word });
    const words = await readBy(shell, text);
    expect(words[0]).toBe("https://p.example");
    expect(words).toContain(word);
    expect(words.some((each) => each === word || each === `--a-name=${word}`)).toBe(true);
  });
});

it("a quoted word has no character that a terminal acts on when it is pasted", () => {
  for (const word of hostile) {
    expect(shellWord(word)).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028]/);
  }
});

it("a NUL, which no word can have, is left out", () => {
  expect(shellWord("a\0b c")).toBe("'ab c'");
});
