import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";

import type { ProfileView } from "../src/request/views.js";
import { elapsed } from "./parts.js";
import { grouped } from "./units.js";

interface Node {
  readonly name: string;
  readonly parent: Node | undefined;
  readonly children: Map<number, Node>;
  readonly depth: number;
  /** In the function and in what it called: steps, or milliseconds. */
  total: number;
  self: number;
}

type Weight = "steps" | "waiting";

/** Share of the width below which a function is not drawn. */
const NARROWEST = 0.002;
const ROW = 22;

/** Merges stacks into a tree of calls. */
function buildTree({ frames, stacks }: ProfileView, weight: Weight): Node {
  const root: Node = {
    name: "whole run",
    parent: undefined,
    children: new Map(),
    depth: 0,
    total: 0,
    self: 0,
  };
  for (const [indices, steps, waited = 0] of stacks) {
    const cost = weight === "steps" ? steps : waited;
    if (cost === 0) continue;
    root.total += cost;
    let node = root;
    for (const index of indices) {
      let child = node.children.get(index);
      if (child === undefined) {
        const name = frames[index] ?? "";
        child = {
          name,
          parent: node,
          children: new Map(),
          depth: node.depth + 1,
          total: 0,
          self: 0,
        };
        node.children.set(index, child);
      }
      child.total += cost;
      node = child;
    }
    node.self += cost;
  }
  return root;
}

interface Placed {
  readonly node: Node;
  readonly left: number;
  readonly width: number;
}

/** Places a node and all below it that are wide enough to be seen. */
function placed(from: Node): readonly Placed[] {
  const all: Placed[] = [];
  const visit = (node: Node, left: number): void => {
    const width = node.total / from.total;
    if (width < NARROWEST) return;
    all.push({ node, left, width });
    let at = left;
    for (const child of [...node.children.values()].sort((a, b) => b.total - a.total)) {
      visit(child, at);
      at += child.total / from.total;
    }
  };
  visit(from, 0);
  return all;
}

/** Removes type arguments: `a::b::<c>` is `a::b`. */
function shortName(name: string): string {
  return name
    .replaceAll(/::<.*>/g, "")
    .split("::")
    .slice(-2)
    .join("::");
}

/** A hue for a name, the same in every run. */
function shade(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at += 1) hash = (hash * 31 + name.charCodeAt(at)) | 0;
  return Math.abs(hash) % 5;
}

/** The flame graph of a run. Arrow keys walk along the calls, Enter looks closer, Escape goes back. */
export function Flame({ profile }: { readonly profile: ProfileView }): JSX.Element {
  const canWait = profile.stacks.some(([, , waited]) => waited !== undefined && waited > 0);
  const [weight, setWeight] = useState<Weight>("steps");
  const root = useMemo(() => buildTree(profile, weight), [profile, weight]);
  const [picked, setPicked] = useState<Node>();
  const [focused, setFocused] = useState<Node>();
  const graph = useRef<HTMLDivElement>(null);
  const top = picked !== undefined && findRoot(picked) === root ? picked : root;
  const nodes = useMemo(() => placed(top), [top]);
  const current = nodes.find(({ node }) => node === focused)?.node ?? top;
  const depth = Math.max(...nodes.map(({ node }) => node.depth)) - top.depth + 1;
  const cost = (value: number): string =>
    weight === "steps" ? `${grouped(value)} steps` : elapsed(value);
  const say = ({ name, total, self }: Node): string =>
    `${name}: ${cost(total)}, ${((100 * total) / Math.max(1e-9, root.total)).toFixed(1)} % of the run, ${cost(self)} of its own`;
  const walk = (event: KeyboardEvent): void => {
    const siblings = nodes
      .filter(({ node }) => node.depth === current.depth)
      .map(({ node }) => node);
    const at = siblings.indexOf(current);
    const below = nodes.find(({ node }) => node.parent === current)?.node;
    const above = current === top ? undefined : current.parent;
    const targets: Readonly<Record<string, Node | undefined>> = {
      ArrowLeft: siblings[at - 1],
      ArrowRight: siblings[at + 1],
      ArrowDown: below,
      ArrowUp: above,
      Home: top,
    };
    if (event.key === "Escape") setPicked(top.parent);
    else if (!(event.key in targets)) return;
    event.preventDefault();
    const target = targets[event.key];
    if (target === undefined) return;
    setFocused(target);
    const index = nodes.findIndex(({ node }) => node === target);
    const element = graph.current?.children[index];
    if (element instanceof HTMLElement) element.focus();
  };
  return (
    <figure class="flame">
      <div class="toolbar">
        {canWait && (
          <fieldset>
            <legend class="hidden">Width stands for</legend>
            {(["steps", "waiting"] as const).map((one) => (
              <label key={one}>
                <input
                  type="radio"
                  name="weight"
                  checked={weight === one}
                  onChange={() => {
                    setWeight(one);
                  }}
                />
                {one === "steps" ? "Steps" : "Waiting for reads"}
              </label>
            ))}
          </fieldset>
        )}
        <button
          type="button"
          class="quiet"
          disabled={top === root}
          onClick={() => {
            setPicked(undefined);
          }}
        >
          Whole run
        </button>
      </div>
      <div
        class="graph"
        ref={graph}
        role="tree"
        aria-label={`Flame graph: ${cost(root.total)}`}
        style={{ height: `${String(depth * ROW)}px` }}
        onKeyDown={walk}
      >
        {nodes.map(({ node, left, width }) => (
          <div
            key={node}
            role="treeitem"
            aria-level={node.depth - top.depth + 1}
            aria-label={say(node)}
            aria-selected={node === current}
            title={say(node)}
            tabIndex={node === current ? 0 : -1}
            class={`frame shade-${String(shade(node.name))}`}
            style={{
              left: `${String(left * 100)}%`,
              width: `${String(width * 100)}%`,
              top: `${String((node.depth - top.depth) * ROW)}px`,
            }}
            onFocus={() => {
              setFocused(node);
            }}
            onMouseEnter={() => {
              setFocused(node);
            }}
            onClick={() => {
              setPicked(node);
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter") setPicked(node);
            }}
          >
            {width > 0.04 ? shortName(node.name) : ""}
          </div>
        ))}
      </div>
      <figcaption>
        <output aria-live="polite">{say(current)}</output>
        {!profile.named && (
          <p class="note">
            The class does not say its functions' names: fn@ is a place in its bytecode.
          </p>
        )}
      </figcaption>
    </figure>
  );
}

function findRoot(node: Node): Node {
  return node.parent === undefined ? node : findRoot(node.parent);
}
