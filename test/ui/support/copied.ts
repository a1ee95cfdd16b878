import { keys, type OpenedTerminal } from "../../support/tty.ts";

function copiesIn(terminal: OpenedTerminal): string[] {
  return [...terminal.raw().matchAll(/\x1b\]52;c;([A-Za-z0-9+/=]*)\x07/g)].map(([, text = ""]) =>
    Buffer.from(text, "base64").toString("utf8"),
  );
}

/** Presses a key that copies, `y` unless given, and returns the text on the clipboard. */
export async function copied(terminal: OpenedTerminal, key = "y"): Promise<string> {
  const before = copiesIn(terminal).length;
  terminal.write(key);
  await terminal.waitFor(() => copiesIn(terminal).length > before);
  return copiesIn(terminal).at(-1) ?? "";
}

export const copyInForm = keys.ctrl("y");
