/** The used part of the protocol's library; the build embeds it compressed. */
export {
  createMcpHandler,
  deserializeMessage,
  InMemoryServerEventBus,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  serializeMessage,
  Server,
} from "@modelcontextprotocol/server";
export { serveStdio } from "@modelcontextprotocol/server/stdio";
