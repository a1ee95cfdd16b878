import { useEnvironment } from "../state/use-environment.tsx";
import { createContext, useContext, useMemo, useState, type ReactNode } from "react";
import {
  colourDepthOf,
  skinAt,
  type Skin,
  type SkinName,
  type Style,
  type Token,
} from "./theme.ts";

interface SkinChoice {
  readonly skin: SkinName;
  chooseSkin(name: SkinName): void;
}

const SkinContext = createContext<SkinChoice>({ skin: "terminal", chooseSkin: () => {} });

export function SkinProvider(props: { readonly start: SkinName; readonly children: ReactNode }) {
  const [skin, chooseSkin] = useState(props.start);
  const choice = useMemo(() => ({ skin, chooseSkin }), [skin]);
  return <SkinContext value={choice}>{props.children}</SkinContext>;
}

export function useSkinChoice(): SkinChoice {
  return useContext(SkinContext);
}

export function useSkin(): Skin {
  const { skin } = useContext(SkinContext);
  const environment = useEnvironment();
  return useMemo(() => skinAt(skin, colourDepthOf(environment)), [skin, environment]);
}

export function useStyle(token: Token): Style {
  return useSkin()[token];
}
