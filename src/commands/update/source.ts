import { catalogError } from "#contract/errors.ts";
import { proxyHint } from "#lib/network/proxy-refusal.ts";
import { inputError } from "#cli/errors.ts";
import { BaseUrlError, baseUrlText, parseBaseUrl } from "#lib/network/base-url.ts";
import { readBoundedBytes } from "#lib/network/bounded-body.ts";
import { filledText, membersOf, parsedJson } from "#lib/json/value.ts";
import { isLoopback, networkFetch } from "#lib/network/network-fetch.ts";
import { readRegularFile } from "#lib/files/regular-file.ts";
import { registryPath, targetPackage } from "#lib/packages.ts";
import { SignatureError } from "#lib/minisign.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { version as currentVersion } from "#lib/version.ts";
import { maximumArchiveBytes } from "#local/release/archive.ts";
import { checkDigest, signedSums } from "#local/release/checked.ts";
import type { CommandContext } from "../kit/context.ts";

const listLimitMs = 15_000;
const archiveLimitMs = 900_000;
const maximumListBytes = 1024 * 1024;

/** A release that an update can install. */
export interface ReleaseSource {
  /** Folder or address of the release. */
  readonly from: string;
  readonly version: string;
  /** The archive for a target, checked as far as the source allows. */
  archive(target: string): Promise<Uint8Array>;
}

type ReadFile = (name: string, maximumBytes: number, limitMs: number) => Promise<Uint8Array>;

/** A release in a folder or at an address, with a signed list of digests. */
export async function openRelease(
  context: CommandContext,
  from: string,
  key: string,
): Promise<ReleaseSource> {
  const read = /^https?:/i.test(from) ? addressReader(context, from) : folderReader(context, from);
  const [sums, signature] = await Promise.all(
    ["SHA256SUMS", "SHA256SUMS.minisig"].map((name) => read(name, maximumListBytes, listLimitMs)),
  );
  const list = signedSums(key, sums ?? noBytes, new TextDecoder().decode(signature));
  return {
    from,
    version: list.version,
    async archive(target) {
      const name = `svc-${list.version}-${target}.tar.zst`;
      if (!list.digests.has(name)) throw new SignatureError(`the release has no ${name}`);
      const content = await read(name, maximumArchiveBytes, archiveLimitMs);
      checkDigest(list, name, content);
      return content;
    },
  };
}

/** A version at the package registry; its executable carries its own signature. */
export function registryRelease(
  context: CommandContext,
  registry: string,
  version: string,
): ReleaseSource {
  return {
    from: registry,
    version,
    async archive(target) {
      const read = addressReader(context, registry);
      const bytes = await read(
        `${registryPath(targetPackage(target))}/${version}`,
        maximumListBytes,
        listLimitMs,
      );
      const dist = membersOf(membersOf(parsedJson(new TextDecoder().decode(bytes)))?.get("dist"));
      const tarball = filledText(dist?.get("tarball"));
      const integrity = filledText(dist?.get("integrity"));
      if (tarball === undefined || !URL.canParse(tarball) || integrity === undefined) {
        throw catalogError("E203", { details: "the registry names no archive" });
      }
      const url = new URL(tarball);
      if (url.origin !== new URL(registry).origin) {
        throw catalogError("E203", { details: "the registry names an archive of another origin" });
      }
      const content = await fetchBytes(context, url, maximumArchiveBytes, archiveLimitMs);
      const digest = `sha512-${Bun.SHA512.hash(content, "base64")}`;
      if (digest !== integrity) {
        throw new SignatureError("the archive differs from the registry's digest");
      }
      return content;
    },
  };
}

const noBytes = new Uint8Array();

function folderReader(context: CommandContext, folder: string): ReadFile {
  return async (name, maximumBytes) => {
    const path = `${context.resolvePath(folder)}/${name}`;
    try {
      return await readRegularFile(path, maximumBytes, { followsLinks: false });
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === undefined) throw error;
      if (code === "EFBIG") throw inputError(`${path} is larger than ${maximumBytes} bytes`);
      throw inputError(
        `${path} could not be read: ${systemErrorWords(error)}`,
        "Name the folder of a release, which has SHA256SUMS",
      );
    }
  };
}

function addressReader(context: CommandContext, address: string): ReadFile {
  let base: string;
  try {
    const url = parseBaseUrl(address);
    if (url.protocol !== "https:" && !isLoopback(url)) throw new BaseUrlError("must be https");
    base = baseUrlText(url);
  } catch (error) {
    if (!(error instanceof BaseUrlError)) throw error;
    throw inputError(`the address of the release ${error.message}`);
  }
  return (name, maximumBytes, limitMs) =>
    fetchBytes(context, new URL(`${base}/${name}`), maximumBytes, limitMs);
}

async function fetchBytes(
  { environment, signal }: CommandContext,
  url: URL,
  maximumBytes: number,
  limitMs: number,
): Promise<Uint8Array> {
  const request = new Request(url.href, {
    redirect: "manual",
    headers: { "user-agent": `svc/${currentVersion}`, "accept-encoding": "identity" },
    signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
  });
  let response: Response;
  try {
    response = await (environment.fetch ?? networkFetch)(request);
    if (response.ok) return await readBoundedBytes(response, maximumBytes, { limitMs });
  } catch (error) {
    if (signal.aborted) throw error;
    const hint = proxyHint(error) ?? "Check the address of the release";
    throw catalogError("E201", { url: url.origin }, { cause: error, hint });
  }
  const details = `${url.origin} answered ${response.status} for ${url.pathname}`;
  throw catalogError("E203", { details }, { status: response.status });
}
