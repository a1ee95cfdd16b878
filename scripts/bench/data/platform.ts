import { join } from "node:path";
import { createClient, type Client } from "#client/index.ts";
import {
  startPlatformProcess,
  type RunningPlatform,
} from "../../../test/support/platform-process.ts";
import { executable } from "../../build/executable.ts";
import { wireRequest, type WireRequest } from "../load.ts";
import { objectType, recordData, typeSlug } from "./dataset.ts";

/** Other workspaces, with a few records each. */
const otherWorkspaces = 99;
const otherRecords = 20;

/** A platform whose first workspace is to have the million records. */
export interface DataPlatform {
  readonly running: RunningPlatform;
  /** Whether the records' descriptions are in the full text. */
  readonly isSearched: boolean;
  /** The large type's own address. */
  readonly url: URL;
  /** A request as bytes: `path` follows the type's address, or is a whole path. */
  request(
    method: string,
    path: string,
    body: unknown,
    status: number,
    /** The caller; the installation's first user by default. */
    token?: string,
  ): WireRequest;
  /** The first user's client of the first workspace. */
  readonly client: Client;
}

export async function startDataPlatform(
  directory: string,
  args: readonly string[],
  isSearched: boolean,
): Promise<DataPlatform> {
  const running = await startPlatformProcess({
    executable,
    dataDir: join(directory, "data"),
    home: directory,
    args,
  });
  try {
    const token = await running.token();
    const client = createClient({ baseUrl: running.url, token });
    const makeWorkspace = async (number: number): Promise<string> => {
      const { id } = await client.workspaces.createRoot({
        body: { displayName: `Council ${number}`, slug: `council-${number}`, homeRegion: "eu" },
      });
      await client.forTenant(id).objectTypes.create({ body: objectType(isSearched) });
      return id;
    };
    const tenantId = await makeWorkspace(0);
    for (let number = 1; number <= otherWorkspaces; number += 1) {
      const resources = client.forTenant(await makeWorkspace(number)).resources;
      await resources.batchCreate({
        params: { objectType: typeSlug },
        body: Array.from({ length: otherRecords }, (_, index) => ({ ...recordData(index) })),
      });
    }
    const url = new URL(`/v4/data/resources/${tenantId}/${typeSlug}`, running.url);
    return {
      running,
      client: client.forTenant(tenantId),
      isSearched,
      url,
      request(method, path, body, status, caller = token) {
        const headers = [
          `authorization: Bearer ${caller}`,
          "content-type: application/json",
          "accept: application/json",
        ];
        const target = path.startsWith("/v4/")
          ? new URL(path.replace("{tenantId}", tenantId), running.url)
          : new URL(`${url.href}${path}`);
        const text = body === undefined ? "" : JSON.stringify(body);
        return wireRequest(method, target, headers, text, status);
      },
    };
  } catch (error) {
    await running.kill();
    throw error;
  }
}
