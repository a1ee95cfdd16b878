import type { Json } from "../answers.ts";
import { isJson } from "./call.ts";

/** Equality and the comparisons that a first filter needs; other operators match nothing. */
export function matches(data: Json, where: Json): boolean {
  return Object.entries(where).every(([name, wanted]) => {
    if (name === "$and" && Array.isArray(wanted)) {
      return wanted.every((part: unknown) => isJson(part) && matches(data, part));
    }
    if (name === "$or" && Array.isArray(wanted)) {
      return wanted.some((part: unknown) => isJson(part) && matches(data, part));
    }
    const value = data[name];
    return isJson(wanted)
      ? Object.entries(wanted).every(([operator, operand]) => compares(operator, value, operand))
      : value === wanted;
  });
}

function compares(operator: string, value: unknown, operand: unknown): boolean {
  switch (operator) {
    case "$eq":
      return value === operand;
    case "$ne":
      return value !== operand;
    case "$in":
      return Array.isArray(operand) && operand.includes(value);
    case "$gt":
      return Number(value) > Number(operand);
    case "$gte":
      return Number(value) >= Number(operand);
    case "$lt":
      return Number(value) < Number(operand);
    case "$lte":
      return Number(value) <= Number(operand);
    default:
      return false;
  }
}
