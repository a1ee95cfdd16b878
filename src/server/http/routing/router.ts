import type { Method } from "#contract/route.ts";
import { isParameter, type Endpoint } from "./endpoint.ts";
import type { PathSegments } from "./path-segments.ts";

export interface Found {
  readonly endpoint: Endpoint;
  /** Decoded values of the path's parameters, in their order. */
  readonly values: readonly string[];
}

interface Node {
  /** At most some ten, which are quicker compared than looked up by what has to be cut out first. */
  readonly literals: { readonly text: string; readonly node: Node }[];
  parameter: Node | undefined;
  readonly endpoints: Map<string, Endpoint>;
}

/**
 * All routes as one tree of path segments. A literal segment goes before a parameter, from left to
 * right and for each method by itself, so `POST /a/{x}/{y}` takes `/a/1/b` even where
 * `GET /a/{x}/b` exists. A workspace's place in the path takes only what looks like a UUID, so
 * `GET /v4/data/resources/object-types/x` is not a record list of a workspace "object-types".
 */
export class Router {
  readonly #root = emptyNode();

  constructor(endpoints: readonly Endpoint[]) {
    for (const endpoint of endpoints) this.#add(endpoint);
  }

  /**
   * The route for a method and a path. When only the form of the workspace id stands against a
   * route, that route is found, so that validation can say so.
   */
  find(method: Method, segments: PathSegments): Found | undefined {
    const strict = this.#search(segments, (node, values) => fitting(node, method, values, true));
    if (strict !== undefined) return strict;
    if (this.methods(segments).length > 0) return undefined;
    return this.#search(segments, (node, values) => fitting(node, method, values, false));
  }

  /** Methods that this path takes, sorted; none when there is no such path. */
  methods(segments: PathSegments): Method[] {
    const found = new Set<Method>();
    this.#search(segments, (node, values) => {
      for (const endpoint of node.endpoints.values()) {
        if (workspaceFits(endpoint, values)) found.add(endpoint.definition.method);
      }
      return undefined;
    });
    return [...found].toSorted();
  }

  #add(endpoint: Endpoint): void {
    const { method, path } = endpoint.definition;
    let node = this.#root;
    for (const segment of endpoint.segments) {
      if (isParameter(segment)) {
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
    accept: (node: Node, values: readonly string[]) => Found | undefined,
  ): Found | undefined {
    return walk(this.#root, segments, [], accept, 0);
  }
}

/** The first node behind the segments from `depth` on that is accepted. */
function walk(
  node: Node,
  segments: PathSegments,
  values: string[],
  accept: (node: Node, values: readonly string[]) => Found | undefined,
  depth: number,
): Found | undefined {
  if (depth === segments.count) return accept(node, values);
  for (const literal of node.literals) {
    if (!segments.is(depth, literal.text)) continue;
    const found = walk(literal.node, segments, values, accept, depth + 1);
    if (found !== undefined) return found;
    break;
  }
  if (node.parameter === undefined || segments.is(depth, "")) return undefined;
  values.push(segments.at(depth));
  const found = walk(node.parameter, segments, values, accept, depth + 1);
  if (found === undefined) values.pop();
  return found;
}

function emptyNode(): Node {
  return { literals: [], parameter: undefined, endpoints: new Map() };
}

function fitting(
  node: Node,
  method: Method,
  values: readonly string[],
  isStrict: boolean,
): Found | undefined {
  const endpoint = node.endpoints.get(method);
  if (endpoint === undefined || (isStrict && !workspaceFits(endpoint, values))) return undefined;
  // The walk ends here, so the list is no longer changed.
  return { endpoint, values };
}

function workspaceFits(endpoint: Endpoint, values: readonly string[]): boolean {
  const { workspaceParameter } = endpoint;
  return workspaceParameter < 0 || looksLikeUuid(values[workspaceParameter] ?? "");
}

function looksLikeUuid(text: string): boolean {
  return text.length === 36 && text[8] === "-" && text[13] === "-" && text[18] === "-";
}
