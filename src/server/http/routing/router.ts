import type { Method } from "#contract/route.ts";
import { isParameter, type Endpoint } from "./endpoint.ts";
import type { PathSegments } from "./path-segments.ts";

export interface RouteMatch {
  readonly endpoint: Endpoint;
  /** Decoded path parameters, in their order. */
  readonly values: readonly string[];
}

interface Node {
  /** There are about ten, and comparing them is faster than cutting a string for a lookup. */
  readonly literals: { readonly text: string; readonly node: Node }[];
  parameter: Node | undefined;
  /** The node of a parameter that takes all segments that follow. */
  rest: Node | undefined;
  readonly endpoints: Map<string, Endpoint>;
}

/**
 * All routes as one tree of path segments. A literal matches before a parameter, from left to right
 * and per method: `POST /a/{x}/{y}` matches `/a/1/b` although `GET /a/{x}/b` exists. A workspace
 * parameter matches only the form of a UUID, so `/v4/data/resources/object-types/x` has none.
 */
export class Router {
  readonly #root = emptyNode();

  constructor(endpoints: readonly Endpoint[]) {
    for (const endpoint of endpoints) this.#add(endpoint);
  }

  /**
   * The route for a method and a path. If only the form of the workspace id does not match, the
   * route is returned anyway, so that validation reports the id.
   */
  find(method: Method, segments: PathSegments): RouteMatch | undefined {
    const strict = this.#search(segments, (node, values) => fitting(node, method, values, true));
    if (strict !== undefined) return strict;
    if (this.methods(segments).length > 0) return undefined;
    return this.#search(segments, (node, values) => fitting(node, method, values, false));
  }

  /** The methods of this path, sorted; none for an unknown path. */
  methods(segments: PathSegments): Method[] {
    const methods = new Set<Method>();
    this.#search(segments, (node, values) => {
      for (const endpoint of node.endpoints.values()) {
        if (workspaceFits(endpoint, values)) methods.add(endpoint.definition.method);
      }
      return undefined;
    });
    return [...methods].toSorted();
  }

  #add(endpoint: Endpoint): void {
    const { method, path } = endpoint.definition;
    let node = this.#root;
    const restAt = endpoint.definition.takesRest === true ? endpoint.segments.length - 1 : -1;
    for (const [index, segment] of endpoint.segments.entries()) {
      if (index === restAt) {
        node.rest ??= emptyNode();
        node = node.rest;
      } else if (isParameter(segment)) {
        node.parameter ??= emptyNode();
        node = node.parameter;
      } else {
        let next = node.literals.find(({ text }) => text === segment)?.node;
        if (next === undefined) {
          next = emptyNode();
          node.literals.push({ text: segment, node: next });
        }
        node = next;
      }
    }
    const taken = node.endpoints.get(method);
    if (taken !== undefined) {
      throw new TypeError(`${endpoint.id} and ${taken.id} are both ${method} ${path}`);
    }
    node.endpoints.set(method, endpoint);
  }

  #search(
    segments: PathSegments,
    accept: (node: Node, values: readonly string[]) => RouteMatch | undefined,
  ): RouteMatch | undefined {
    return walk(this.#root, segments, [], accept, 0);
  }
}

/** The first accepted node at the end of the segments from `depth` on. */
function walk(
  node: Node,
  segments: PathSegments,
  values: string[],
  accept: (node: Node, values: readonly string[]) => RouteMatch | undefined,
  depth: number,
): RouteMatch | undefined {
  if (depth === segments.count) return accept(node, values);
  for (const literal of node.literals) {
    if (!segments.is(depth, literal.text)) continue;
    const found = walk(literal.node, segments, values, accept, depth + 1);
    if (found !== undefined) return found;
    break;
  }
  if (segments.is(depth, "")) return undefined;
  if (node.parameter !== undefined) {
    values.push(segments.at(depth));
    const found = walk(node.parameter, segments, values, accept, depth + 1);
    if (found !== undefined) return found;
    values.pop();
  }
  if (node.rest === undefined) return undefined;
  values.push(segments.from(depth));
  const found = accept(node.rest, values);
  if (found === undefined) values.pop();
  return found;
}

function emptyNode(): Node {
  return { literals: [], parameter: undefined, rest: undefined, endpoints: new Map() };
}

function fitting(
  node: Node,
  method: Method,
  values: readonly string[],
  isStrict: boolean,
): RouteMatch | undefined {
  const endpoint = node.endpoints.get(method);
  if (endpoint === undefined || (isStrict && !workspaceFits(endpoint, values))) return undefined;
  // The walk ends here, so it no longer changes the list.
  return { endpoint, values };
}

function workspaceFits(endpoint: Endpoint, values: readonly string[]): boolean {
  const { workspaceParameter } = endpoint;
  return workspaceParameter < 0 || looksLikeUuid(values[workspaceParameter] ?? "");
}

function looksLikeUuid(text: string): boolean {
  return text.length === 36 && text[8] === "-" && text[13] === "-" && text[18] === "-";
}
