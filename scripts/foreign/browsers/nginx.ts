import { join } from "node:path";
import { certificate, privateKey } from "#test/lib/network/self-signed.ts";
import { serverFolder, startServer, type ForeignServer } from "../server.ts";

export interface NginxOptions {
  readonly nginx: string;
  readonly directory: string;
  /** The folder of the built pages. */
  readonly pages: string;
  /** The plain port speaks HTTP/1.1, and the one with TLS HTTP/2. */
  readonly ports: { readonly plain: number; readonly tls: number };
  /** The address of the platform of each port: a platform answers one origin. */
  readonly platforms: { readonly plain: string; readonly tls: string };
}

/** nginx, which serves the pages and passes every other request to the platform. */
export async function startNginx(options: NginxOptions): Promise<ForeignServer> {
  const { nginx, ports } = options;
  const directory = await serverFolder(join(options.directory, "nginx"));
  const file = join(directory, "nginx.conf");
  await Bun.write(join(directory, "tls.crt"), certificate);
  await Bun.write(join(directory, "tls.key"), privateKey);
  await Bun.write(file, configuration(directory, options));
  const command = [nginx, "-c", file, "-e", "stderr", "-g", "daemon off;"];
  return await startServer({ command, directory, port: ports.tls });
}

function configuration(directory: string, { pages, ports, platforms }: NginxOptions): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `  ${name}_temp_path ${directory}/${name};`,
  );
  const server = (listen: string, platform: string, more: readonly string[] = []): string =>
    [
      "  server {",
      `    listen 127.0.0.1:${listen};`,
      ...more.map((line) => `    ${line}`),
      `    root ${pages};`,
      "    location /vite/ { index index.html; }",
      "    location /esbuild/ { index index.html; }",
      "    location / {",
      `      proxy_pass ${platform};`,
      "      proxy_http_version 1.1;",
      "      proxy_set_header Host $http_host;",
      "      proxy_set_header Upgrade $http_upgrade;",
      "      proxy_set_header Connection $connection_upgrade;",
      "      proxy_request_buffering off;",
      "      proxy_buffering off;",
      "    }",
      "  }",
    ].join("\n");
  return [
    `pid ${directory}/nginx.pid;`,
    "events {}",
    "http {",
    ...temporary,
    "  access_log off;",
    "  client_max_body_size 0;",
    '  map $http_upgrade $connection_upgrade { default upgrade; "" ""; }',
    "  types { text/html html; text/javascript js; }",
    server(String(ports.plain), platforms.plain),
    server(`${ports.tls} ssl http2`, platforms.tls, [
      `ssl_certificate ${directory}/tls.crt;`,
      `ssl_certificate_key ${directory}/tls.key;`,
    ]),
    "}",
    "",
  ].join("\n");
}
