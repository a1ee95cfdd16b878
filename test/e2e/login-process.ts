import { userEnvironment } from "#test/support/environment.ts";
import { svcExecutable } from "#test/support/svc.ts";

/** `svc login` while it waits for the sign-in. */
interface Waiting {
  /** Resolves to the first match in what it says. */
  said(pattern: RegExp): Promise<string>;
  readonly exited: Promise<number>;
}

export async function startLogin(
  home: string,
  url: string,
  args: readonly string[] = [],
): Promise<Waiting> {
  const child = Bun.spawn([await svcExecutable(), "login", ...args], {
    // No opener is on this PATH, so the program shows the address and waits.
    env: userEnvironment(home, { BASE_URL_PUBLIC_API: url, PATH: home }),
    cwd: home,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
  });
  let text = "";
  let look: () => void = () => {};
  const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      look();
    }
  };
  const reading = Promise.all([read(child.stdout), read(child.stderr)]);
  return {
    exited: reading.then(() => child.exited),
    said: (pattern) =>
      new Promise((resolve, reject) => {
        look = () => {
          const match = pattern.exec(text)?.[0];
          if (match !== undefined) resolve(match);
        };
        look();
        void reading.then(() => reject(new Error(`svc login ended:\n${text}`)));
      }),
  };
}
