/** Addresses of the reference that the platform serves. No schema library is imported. */

export const docsPath = "/docs";
