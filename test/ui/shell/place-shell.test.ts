import { expect, test } from "vitest";
import { placeShellOf } from "#ui/shell/place-shell.ts";

/** A shell whose dialogs and messages are noted. */
function opened(client: object | undefined = {}) {
  const said: unknown[] = [];
  const asked: { onConfirm(): void; command?: string; typed?: string }[] = [];
  const line = (...words: readonly unknown[]): string => JSON.stringify(words);
  const shell = placeShellOf({
    router: { back: () => undefined },
    clipboard: { copy: () => undefined, inWorkspace: () => undefined },
    lines: { inWorkspace: line, onPlatform: line },
    platform: { state: { get: () => ({ client, tenantId: "w" }) } },
    overlays: { confirm: (question: never) => asked.push(question) },
    notices: {
      say: (kind: string, words: string) => said.push([kind, words]),
      note: (kind: string, words: string) => said.push([kind, words]),
      sayFailure: (error: Error) => said.push(["failure", error.message]),
    },
  } as never);
  return { shell, said, asked };
}

const action = {
  run: (_client: unknown, subject: string) => Promise.resolve(`${subject}!`),
  done: (subject: string, answer: string) => `${subject} ${answer}`,
};

const ended = (act: (onEnd: (answer?: unknown) => void) => void): Promise<unknown> =>
  new Promise((resolve) => act(resolve));

test("an action without a question runs at once, and one that failed in part says so", async () => {
  const { shell, said } = opened();
  expect(await ended((onEnd) => shell.act(action, "a", onEnd))).toBe("a!");
  const part = { ...action, done: () => ({ failed: "partly" }) };
  await ended((onEnd) => shell.act(part, "a", onEnd));
  const broken = { ...action, run: () => Promise.reject(new Error("away")) };
  expect(await ended((onEnd) => shell.act(broken, "a", onEnd))).toBe(undefined);
  expect(said).toEqual([
    ["done", "a a!"],
    ["failed", "partly"],
    ["failure", "away"],
  ]);
});

test("a question comes first, and its command is logged with the run", async () => {
  const { shell, said, asked } = opened();
  const question = {
    title: () => "Sure?",
    effects: () => [],
    command: (subject: string) => [["do", subject]] as const,
    typed: () => "a",
  };
  const end = ended((onEnd) => shell.act({ ...action, question }, "a", onEnd));
  expect(said).toEqual([]);
  expect(asked[0]).toMatchObject({ command: '[["do","a"]]', typed: "a" });
  asked[0]?.onConfirm();
  await end;
  expect(said).toEqual([
    ["command", '[["do","a"]]'],
    ["done", "a a!"],
  ]);
});
