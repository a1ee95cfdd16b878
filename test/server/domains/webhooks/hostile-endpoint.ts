import { createServer, type Server, type Socket } from "node:net";

/** Answers one request on its raw connection. */
type Behaviour = (socket: Socket, place: { readonly inward: string }) => void;

const ok = "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
const answer =
  (status: string, fields = "", body = ""): Behaviour =>
  (socket) =>
    socket.end(
      `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: ${body.length}\r\n${fields}\r\n${body}`,
    );
const redirect =
  (status: string, target: (place: { readonly inward: string }) => string): Behaviour =>
  (socket, place) =>
    answer(status, `location: ${target(place)}\r\n`)(socket, place);

/** Writes a text again and again, until the connection ends. */
const endless =
  (start: string, text: string, pauseMs: number): Behaviour =>
  (socket) => {
    socket.write(start);
    const timer = setInterval(() => {
      if (socket.writableLength < 1_000_000) socket.write(text);
    }, pauseMs);
    socket.on("close", () => clearInterval(timer));
  };

/** The misbehaviours of endpoints that accept a connection, by the path of their URL. */
export const behaviours: Readonly<Record<string, Behaviour>> = {
  error: answer("500 Internal Server Error", "", "no"),
  missing: answer("404 Not Found"),
  gone: answer("410 Gone"),
  found: redirect("302 Found", ({ inward }) => inward),
  temporary: redirect("307 Temporary Redirect", ({ inward }) => inward),
  metadata: redirect("301 Moved Permanently", () => "http://169.254.169.254/latest/meta-data"),
  relative: redirect("308 Permanent Redirect", () => "/error"),
  silent: () => {},
  reset: (socket) => socket.resetAndDestroy(),
  closed: (socket) => socket.end(),
  half: (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-le"),
  garbage: (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n\r\n"),
  "slow-headers": endless("HTTP/1.1 200 OK\r\n", "x-a: b\r\n", 20),
  "slow-body": endless("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n", "x", 20),
  "endless-body": endless("HTTP/1.1 200 OK\r\n\r\n", "x".repeat(65_536), 1),
  "endless-hints": endless("", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", 5),
  "huge-headers": (socket) =>
    socket.end(`HTTP/1.1 200 OK\r\nx-huge: ${"x".repeat(2_000_000)}\r\n\r\n`),
  "bad-pause": answer("503 Service Unavailable", "retry-after: soon\r\n"),
  "negative-pause": answer("503 Service Unavailable", "retry-after: -99999999\r\n"),
  "endless-pause": answer("503 Service Unavailable", "retry-after: 999999999\r\n"),
  truncated: (socket) => socket.end("HTTP/1.1 500 No\r\ncontent-length: 900\r\n\r\nabc"),
};

export interface HostilePlace extends AsyncDisposable {
  readonly port: number;
  /** Connections to the address inside, which nothing may reach. */
  inwardConnections(): number;
  /** The ids of the messages that were accepted, once {@link mend} was called. */
  readonly accepted: string[];
  /** Every path accepts messages from now on. */
  mend(): void;
}

/** A server whose paths misbehave, and another one on a port that no operator has named. */
export async function hostilePlace(): Promise<HostilePlace> {
  const sockets = new Set<Socket>();
  const accepted: string[] = [];
  let inwards = 0;
  let isMended = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  };
  const inner = await listening(
    createServer((socket) => {
      keep(socket);
      inwards += 1;
      socket.end(ok);
    }),
  );
  const inward = `http://127.0.0.1:${portOf(inner)}/`;
  const outer = await listening(
    createServer((socket) => {
      keep(socket);
      let request = "";
      socket.on("data", (chunk) => {
        request += chunk.toString("latin1");
        const [head = "", body] = request.split("\r\n\r\n", 2);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (body === undefined || body.length < length) return;
        const path = /^POST \/(\S*)/.exec(head)?.[1] ?? "";
        const behaviour = behaviours[path];
        if (behaviour !== undefined && !isMended) return behaviour(socket, { inward });
        accepted.push(`${path} ${/webhook-id: (\S+)/i.exec(head)?.[1] ?? ""}`);
        socket.end(ok);
      });
    }),
  );
  return {
    port: portOf(outer),
    accepted,
    inwardConnections: () => inwards,
    mend: () => {
      isMended = true;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      for (const server of [inner, outer]) {
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

function listening(server: Server): Promise<Server> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
