import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { CallToolResult } from "@modelcontextprotocol/client";

export interface AgentConnection {
  /** An access token; the metadata of 401 is tested without one. */
  readonly token: string;
  readonly workspace?: string | undefined;
  /** The query without its `?`, e.g. `readonly=true`. */
  readonly search?: string;
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** The official client, connected to the agents' address of a platform. */
export async function connectAgent(
  baseUrl: string,
  { token, workspace, search, fetch: answer }: AgentConnection,
): Promise<Client> {
  const client = new Client(
    { name: "test-agent", version: "1.0.0" },
    { versionNegotiation: { mode: "auto" } },
  );
  const headers = {
    authorization: `Bearer ${token}`,
    ...(workspace === undefined ? {} : { "x-tenant-id": workspace }),
  };
  const address = new URL(`${baseUrl}/mcp${search === undefined ? "" : `?${search}`}`);
  const transport = new StreamableHTTPClientTransport(address, {
    requestInit: { headers },
    ...(answer === undefined
      ? {}
      : { fetch: (input, init) => answer(new Request(String(input), init as RequestInit)) }),
  });
  await client.connect(transport);
  return client;
}

/** The structured content of a call that must succeed. */
export async function called(
  client: Client,
  name: string,
  given: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: given });
  if (result.isError === true) throw new Error(`${name}: ${wordsOf(result)}`);
  return { ...(result.structuredContent as Record<string, unknown> | undefined) };
}

/** The text of a call that the platform must refuse. */
export async function refusedCall(
  client: Client,
  name: string,
  given: Record<string, unknown>,
): Promise<string> {
  const result = await client.callTool({ name, arguments: given });
  if (result.isError !== true) throw new Error(`${name} was not refused`);
  return wordsOf(result);
}

function wordsOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");
}
