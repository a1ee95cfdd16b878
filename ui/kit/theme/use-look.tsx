import { createContext, useContext, useMemo, type ReactNode } from "react";
import { Part, usePart } from "../state/part.ts";
import { useStore, type Cell } from "../state/store.ts";
import {
  colourDepthOf,
  skinAt,
  type Environment,
  type Skin,
  type SkinName,
  type Style,
  type Token,
} from "./theme.ts";

interface Look {
  readonly skin: Skin;
  /** Whether the terminal shows colours; NO_COLOR and FORCE_COLOR=0 turn them off. */
  readonly hasColours: boolean;
}

function lookOf(name: SkinName, environment: Environment): Look {
  const { NO_COLOR = "", FORCE_COLOR } = environment.env;
  return {
    skin: skinAt(name, colourDepthOf(environment)),
    hasColours: NO_COLOR === "" && FORCE_COLOR !== "0",
  };
}

/** The name of the chosen skin. */
export const skinPart = new Part<Cell<SkinName>>("skin");

const LookContext = createContext(lookOf("terminal", { env: {}, platform: "" }));

/** Gives the components below it the look of the chosen skin on this terminal. */
export function LookProvider(props: {
  readonly environment: Environment;
  readonly children: ReactNode;
}) {
  const { environment, children } = props;
  const name = useStore(usePart(skinPart));
  const look = useMemo(() => lookOf(name, environment), [name, environment]);
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
