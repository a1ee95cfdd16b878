import { createContext, useContext, useMemo, type ReactNode } from "react";
import { Part, usePart } from "../state/part.ts";
import { useStore, type Cell, type Followed } from "../state/store.ts";
import { rgbOf } from "./colour.ts";
import type { RoleColours } from "./palettes.ts";
import { colourDepthOf, defaultSkin, skinAt, type Canvas, type Environment } from "./theme.ts";
import type { Skin, Style, Token } from "./skin.ts";

interface Look {
  readonly skin: Skin;
  /** False with NO_COLOR or FORCE_COLOR=0, and on a terminal without colours. */
  readonly hasColours: boolean;
}

/** The chosen skin, and those that can be chosen. */
export interface Skins {
  readonly name: Cell<string>;
  readonly themes: ReadonlyMap<string, RoleColours>;
  /** The background of the terminal as `#rrggbb`, once it has reported it. */
  readonly ground: Followed<string | undefined>;
}

export const skinsPart = new Part<Skins>("skins");

const noCanvas: Canvas = { depth: "16", ground: undefined };
const LookContext = createContext<Look>({ skin: skinAt(defaultSkin, noCanvas), hasColours: true });

/** The background of a terminal that reports none: the Linux console's is black. */
function knownGround({ env }: Environment): string | undefined {
  return env["TERM"] === "linux" ? "#000000" : undefined;
}

/** Gives the components below it the look of the chosen skin on this terminal. */
export function LookProvider(props: {
  readonly environment: Environment;
  readonly children: ReactNode;
}) {
  const { environment, children } = props;
  const { name: chosen, themes, ground: reported } = usePart(skinsPart);
  const name = useStore(chosen);
  const ground = useStore(reported) ?? knownGround(environment);
  const look = useMemo((): Look => {
    const depth = colourDepthOf(environment);
    const canvas = { depth, ground: ground === undefined ? undefined : rgbOf(ground) };
    return { skin: skinAt(name, canvas, themes), hasColours: depth !== "none" };
  }, [name, themes, ground, environment]);
  return <LookContext value={look}>{children}</LookContext>;
}

export function useSkin(): Skin {
  return useContext(LookContext).skin;
}

export function useStyle(token: Token): Style {
  return useContext(LookContext).skin[token];
}

export function useColours(): boolean {
  return useContext(LookContext).hasColours;
}
