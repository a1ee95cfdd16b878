import { createContext, useContext, type ReactNode } from "react";
import { skins, type Skin, type Style, type Token } from "../theme.ts";

const SkinContext = createContext<Skin>(skins.terminal);

export function SkinProvider(props: { readonly skin: Skin; readonly children: ReactNode }) {
  return <SkinContext value={props.skin}>{props.children}</SkinContext>;
}

/** The style of a token in the chosen skin. */
export function useStyle(token: Token): Style {
  return useContext(SkinContext)[token];
}

export function useSkin(): Skin {
  return useContext(SkinContext);
}
