/**
 * Opens streams in a separate process, and measures the time from each commit to its receipt. The
 * input is one JSON argument. It prints `open` once all are open, and after a line on stdin the
 * times in milliseconds as JSON.
 */
interface Input {
  readonly port: number;
  /** The path of each stream, with its filter. */
  readonly paths: readonly string[];
  readonly token: string;
  readonly count: number;
  readonly isSocket: boolean;
}

const input = JSON.parse(process.argv[2] ?? "{}") as Input;
const openAtOnce = 50;
const times: number[] = [];
const change = /"type":"svc\.resource\.\w+"[^{]*?"time":"([^"]+)"/g;

function request(index: number): string {
  const path = input.paths[index % input.paths.length] ?? "";
  const upgrade =
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" +
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const fields = `Host: 127.0.0.1\r\nAuthorization: Bearer ${input.token}\r\n`;
  return `GET ${path} HTTP/1.1\r\n${fields}${input.isSocket ? upgrade : ""}\r\n`;
}

async function open(index: number): Promise<void> {
  const opened = Promise.withResolvers<void>();
  await Bun.connect({
    hostname: "127.0.0.1",
    port: input.port,
    socket: {
      open: (socket) => void socket.write(request(index)),
      data(_socket, bytes) {
        const now = Date.now();
        const text = bytes.toString("latin1");
        if (text.startsWith("HTTP/1.1 4") || text.startsWith("HTTP/1.1 5")) {
          opened.reject(new Error(text.slice(0, 500)));
        }
        if (text.includes("svc.feed.bookmark")) opened.resolve();
        for (const [, at = ""] of text.matchAll(change)) times.push(now - Date.parse(at));
      },
      close: () => opened.reject(new Error("a stream was closed")),
      error: (_socket, error) => opened.reject(error),
    },
  });
  await opened.promise;
}

for (let first = 0; first < input.count; first += openAtOnce) {
  const length = Math.min(openAtOnce, input.count - first);
  await Promise.all(Array.from({ length }, (_, offset) => open(first + offset)));
}
console.log("open");
for await (const _ of console) {
  console.log(JSON.stringify(times));
  process.exit(0);
}
