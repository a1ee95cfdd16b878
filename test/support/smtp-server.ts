import { createServer, type Socket } from "node:net";

/** One mail as the server got it. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Header fields and body, as sent. */
  readonly data: string;
}

export interface SmtpTestServer extends AsyncDisposable {
  readonly port: number;
  readonly mails: readonly TakenMail[];
  /** Refuses every recipient from now on, or takes them again. */
  refuse(isRefusing?: boolean): void;
}

const longestMail = 1_000_000;

/** A small SMTP server (RFC 5321) on loopback, without TLS and login. */
export async function startSmtpServer(): Promise<SmtpTestServer> {
  const mails: TakenMail[] = [];
  const sockets = new Set<Socket>();
  let isRefusing = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    let from = "";
    let to: string[] = [];
    let data: string | undefined;
    let pending = "";
    say("220 mail.test ESMTP");
    socket.on("data", (chunk) => {
      pending += chunk.toString("utf8");
      if (pending.length > longestMail) socket.destroy();
      for (let end = pending.indexOf("\r\n"); end >= 0; end = pending.indexOf("\r\n")) {
        const line = pending.slice(0, end);
        pending = pending.slice(end + 2);
        if (data !== undefined) {
          if (line === ".") {
            mails.push({ from, to, data });
            data = undefined;
            say("250 taken");
          } else data += `${line.startsWith("..") ? line.slice(1) : line}\n`;
          continue;
        }
        const verb = line.slice(0, 4).toUpperCase();
        if (verb === "EHLO" || verb === "HELO") say("250 mail.test");
        else if (verb === "MAIL") {
          from = addressIn(line);
          to = [];
          say("250 ok");
        } else if (verb === "RCPT") {
          if (isRefusing) say("550 no such mailbox");
          else {
            to.push(addressIn(line));
            say("250 ok");
          }
        } else if (verb === "DATA") {
          data = "";
          say("354 go on");
        } else if (verb === "QUIT") {
          say("221 bye");
          socket.end();
        } else say("250 ok");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    port: address.port,
    mails,
    refuse: (isRefused = true) => {
      isRefusing = isRefused;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? "";
}
