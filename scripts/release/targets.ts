/** A machine that releases are for. */
export interface ReleaseTarget {
  readonly name: string;
  /** Bun's name for the target. */
  readonly compileTarget: string;
  /** The package with Bun's runtime for it, at the version of `packageManager`. */
  readonly package: string;
  /** The package's digest, as bun.lock has it for other packages. */
  readonly integrity: string;
  /** Path of the runtime in the package. */
  readonly runtime: "bin/bun" | "bin/bun.exe";
  /** The machine as packages of npm name it. */
  readonly npm: { readonly os: string; readonly cpu: string; readonly libc?: string };
  /** The architecture as Debian names it; undefined for machines without Debian. */
  readonly debian?: string;
}

/** Whether a machine may have a processor that can't run the executable. */
export function isForOlderProcessors({ npm }: ReleaseTarget): boolean {
  return npm.os === "linux" && npm.cpu === "x64";
}

/** The version of Bun that the digests belong to. */
export const runtimeVersion = "1.4.5";

/** The targets, in the order of the README. */
export const releaseTargets: readonly ReleaseTarget[] = [
  {
    name: "linux-x64",
    compileTarget: "bun-linux-x64",
    package: "@oven/bun-linux-x64",
    integrity:
      "sha512-IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==",
    runtime: "bin/bun",
    npm: { os: "linux", cpu: "x64", libc: "glibc" },
  },
  {
    name: "linux-x64-baseline",
    compileTarget: "bun-linux-x64-baseline",
    package: "@oven/bun-linux-x64-baseline",
    integrity:
      "sha512-s8yMwYcFnnrA178gji0gZbkE2WVDej/Ti1x770oPfihxyRxSMNhGhiAQNXV53aDeraZxksdvKV/RAdQBCd0qPA==",
    runtime: "bin/bun",
    npm: { os: "linux", cpu: "x64", libc: "glibc" },
    debian: "amd64",
  },
  {
    name: "linux-x64-musl",
    compileTarget: "bun-linux-x64-musl",
    package: "@oven/bun-linux-x64-musl",
    integrity:
      "sha512-10QoW/YfTgnURaGEaHpJCiXjLI2e5iTtfVDaA5JKcyUzaa1cq6cVUY9/Uq5XkYzvtRjHLRe9Oj/lTDIQcxy8HQ==",
    runtime: "bin/bun",
    npm: { os: "linux", cpu: "x64", libc: "musl" },
  },
  {
    name: "linux-arm64",
    compileTarget: "bun-linux-arm64",
    package: "@oven/bun-linux-aarch64",
    integrity:
      "sha512-4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==",
    runtime: "bin/bun",
    npm: { os: "linux", cpu: "arm64", libc: "glibc" },
    debian: "arm64",
  },
  {
    name: "macos-arm64",
    compileTarget: "bun-darwin-arm64",
    package: "@oven/bun-darwin-aarch64",
    integrity:
      "sha512-4MIFXHmctH2EhAxLXm2/qxNtv17dFtLJylvaOCsrgq6KSqHTs6eW5YSrJjRbJxYUJaR901fsN8JfZOa+CsWpWQ==",
    runtime: "bin/bun",
    npm: { os: "darwin", cpu: "arm64" },
  },
  {
    name: "macos-x64",
    compileTarget: "bun-darwin-x64",
    package: "@oven/bun-darwin-x64",
    integrity:
      "sha512-qkLPMGHZM9NI6CeHTWwVezzmlo6cC4Ta7yUAjYIWXS366qQcOlcp75t2uZyiuVRBMPS0h9qE0tCcvCHGaFqjJg==",
    runtime: "bin/bun",
    npm: { os: "darwin", cpu: "x64" },
  },
  {
    name: "windows-x64",
    compileTarget: "bun-windows-x64",
    package: "@oven/bun-windows-x64",
    integrity:
      "sha512-FNvply651vcE/GHgNWz6mZvhmkwBuu8Hw54oNzA+CQog+HW+542rXQmZqNHRkFxazD9L3xi+iTtvO3engAgJfw==",
    runtime: "bin/bun.exe",
    npm: { os: "win32", cpu: "x64" },
  },
];
