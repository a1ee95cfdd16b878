import type { Attack } from "./attacks.ts";

export interface HostileServer {
  readonly url: string;
  readonly requests: readonly { readonly method: string; readonly target: string }[];
  close(): void;
}

interface Connection {
  received: Buffer;
  answer: Iterator<string | Uint8Array> | undefined;
  unsent: Uint8Array;
}

const nothing = new Uint8Array();

/** Answers each request with the attack, then closes the connection. */
export function openHostileServer(attack: Attack, elsewhere: string): HostileServer {
  const requests: { method: string; target: string }[] = [];
  const listener = Bun.listen<Connection>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = { received: Buffer.alloc(0), answer: undefined, unsent: nothing };
      },
      data(socket, bytes) {
        const { data } = socket;
        if (data.answer !== undefined) return;
        data.received = Buffer.concat([data.received, bytes]);
        const head = completeHead(data.received);
        if (head === undefined) return;
        const [method = "", target = ""] = head.split(" ");
        requests.push({ method, target });
        data.answer = attack.answer({ method, target, elsewhere })[Symbol.iterator]();
        send(socket);
      },
      drain: send,
      error() {},
    },
  });
  return {
    url: `http://127.0.0.1:${listener.port}`,
    requests,
    close: () => listener.stop(true),
  };
}

/** The head of a request once its body has come too: a close before that would reset the line. */
function completeHead(received: Buffer): string | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = received.toString("latin1", 0, end);
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  if (received.length < end + 4 + length) return undefined;
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
  return isChunked && !received.toString("latin1").endsWith("0\r\n\r\n") ? undefined : head;
}

function send(socket: Bun.Socket<Connection>): void {
  const { data } = socket;
  while (data.answer !== undefined) {
    if (data.unsent.length === 0) {
      const next = data.answer.next();
      if (next.done === true) return void socket.end();
      data.unsent = typeof next.value === "string" ? Buffer.from(next.value) : next.value;
    }
    const written = socket.write(data.unsent);
    if (written < 0) return;
    data.unsent = data.unsent.subarray(written);
    if (data.unsent.length > 0) return;
  }
}

/** Another server, which keeps the heads of the requests that reach it. */
export function openListener(): {
  readonly url: string;
  readonly heads: readonly string[];
  close(): void;
} {
  const heads: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      heads.push([request.url, ...[...request.headers].flat()].join(" "));
      return new Response("{}");
    },
  });
  return { url: server.url.origin, heads, close: () => void server.stop(true) };
}
