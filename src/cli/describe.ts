import type { AnyCommand, CommandTable, OptionDefinition } from "./command.ts";
import { allOptions } from "./global-options.ts";

function optionSchema(option: OptionDefinition): Record<string, unknown> {
  const facts: Record<string, unknown> = { description: option.description };
  if (option.default !== undefined) facts["default"] = option.default;
  if (option.deprecated !== undefined) facts["deprecated"] = true;
  if (option.aliases !== undefined) facts["aliases"] = option.aliases;
  if (option.type === "boolean") return { type: "boolean", ...facts };
  if (option.type === "number") {
    return { type: "integer", minimum: option.minimum, maximum: option.maximum, ...facts };
  }
  const text = {
    type: "string",
    ...(option.values === undefined ? {} : { enum: option.values }),
  };
  return option.repeatable === true
    ? { type: "array", items: text, ...facts }
    : { ...text, ...facts };
}

/** One command as JSON Schema of its input, with its routes and examples. */
export function describeCommand<Context>(command: AnyCommand<Context>): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  const dependentRequired: Record<string, string[]> = {};
  for (const argument of command.arguments) {
    properties[argument.name] = {
      ...(argument.variadic === true
        ? { type: "array", items: { type: "string" } }
        : { type: "string" }),
      description: argument.description,
      positional: true,
    };
    if (argument.optional !== true) required.push(argument.name);
  }
  // The command's own options come first.
  for (const [name, option] of Object.entries({ ...command.options, ...allOptions(command) })) {
    properties[name] = optionSchema(option);
    if (option.type !== "boolean" && option.required === true) required.push(name);
    if (option.needs !== undefined) dependentRequired[name] = [option.needs];
  }
  return {
    command: command.path,
    title: `svc ${command.path}`,
    description: command.summary,
    type: "object",
    properties,
    required,
    ...(Object.keys(dependentRequired).length === 0 ? {} : { dependentRequired }),
    additionalProperties: false,
    ...(command.routes === undefined ? {} : { routes: command.routes }),
    ...(command.examples === undefined ? {} : { examples: command.examples }),
  };
}

/** `--describe`: a JSON Schema of all commands, or of those in a group. */
export function describeTable<Context>(
  table: CommandTable<Context>,
  version: string,
  group?: string,
): Record<string, unknown> {
  const commands = table.commands.filter(
    (command) => group === undefined || command.path.startsWith(`${group} `),
  );
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "svc",
    version,
    oneOf: commands.map(describeCommand),
  };
}
