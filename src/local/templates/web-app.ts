import type { ProjectTemplate } from "./template.ts";

const managed = /^(?:server\.mjs|build\.mjs|server\/.*|tools\/.*)$/;
const pages = /^(?:public|src\/app)\//;

export const webApp: ProjectTemplate = {
  name: "web-app",
  summary: "A web app on the client library, with a development server",
  scripts: {
    dev: "node server.mjs",
    build: "node build.mjs",
    test: "node --import ./tools/test-loader.mjs --test",
    start: "node dist/server.mjs",
  },
  removesTypes: true,
  run: "svc dev",
  kindOf: (path) => (pages.test(path) ? "ui" : managed.test(path) ? "managed" : "own"),
};
