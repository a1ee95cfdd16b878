/** Errors of the catalog that only commands have; the library is built without them. */

export const projectErrors = {
  E001: { message: "Not in a project", suggestion: "Initialize a project or move into one" },
  E002: {
    message: "{var} environment variable not set",
    suggestion: "Set {var}; workspace selection comes from login and workspace select",
  },
  E003: {
    message: "Configuration file not found: {file}",
    suggestion: "Make sure {file} exists",
  },
  E004: {
    message: "Object Types file not found or invalid",
    suggestion: "Create `src/eai.config/object-types.ts`",
  },
  E005: { message: "Invalid project structure", suggestion: "Run `svc verify`" },
  E006: {
    message: "Failed to load configuration: {details}",
    suggestion: "Check `.env.local` and the config file",
  },
} as const;

export const commandErrors = {
  TYPES_DEFINE_UNSUPPORTED: {
    message: "Defining Object Types through the platform is not supported",
    suggestion: "Edit `src/eai.config/object-types.ts` and run `svc types seed`",
  },
  RESOURCE_INDEX_APPLY_UNSUPPORTED: {
    message: "Applying index plans is not supported",
    suggestion: "Run `svc resources indexes-plan` and hand the plan to an operator",
  },
  context_invalid: {
    message: "The support context is not valid: {fields}",
    suggestion: "Correct the fields and run `svc support` again",
  },
  context_unreadable: {
    message: "The support context could not be read: {details}",
    suggestion: "Allocate a file with `svc support --create-context-file`, or use `-` for stdin",
  },
  context_too_large: {
    message: "The support context is larger than 64 KiB",
    suggestion: "Shorten the context to at most 65,536 bytes",
  },
} as const;
