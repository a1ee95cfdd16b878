/** Addresses outside the routes at which agents connect. No schema library is imported. */

/** The Model Context Protocol over streamable HTTP. */
export const agentPath = "/mcp";
/** Protected Resource Metadata (RFC 9728, 3.1): the path of the resource comes after it. */
export const resourceMetadataPath = "/.well-known/oauth-protected-resource";
/** The member of that metadata with the client ID of the command at an external provider. */
export const commandClientIdMember = "svc_client_id";
/** Authorization Server Metadata (RFC 8414, 3.1): the path of the issuer comes after it. */
export const serverMetadataPath = "/.well-known/oauth-authorization-server";
