/** Upper halves of the code pages of DOS, which the runtime does not know. */
const upperHalves = {
  cp437:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ" +
    "áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐" +
    "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀" +
    "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
  cp850:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ" +
    "áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐" +
    "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀" +
    "ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
  cp852:
    "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×č" +
    "áíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐" +
    "└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀" +
    "ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0",
} as const;
type CodePage = keyof typeof upperHalves;

/** A decoder of one charset. */
export interface CharsetDecoder {
  readonly encoding: string;
  decode(bytes: Uint8Array): string;
}

/** A decoder of DOS, by names such as `cp850`, `IBM850` and `850`; undefined for other charsets. */
export function codePageNamed(charset: string): CharsetDecoder | undefined {
  const [, digits = ""] = /^(?:cp|ibm|dos-?)?-?(\d{3})$/i.exec(charset.trim()) ?? [];
  const encoding = `cp${digits}`;
  if (!isCodePage(encoding)) return undefined;
  const upper = upperHalves[encoding];
  return {
    encoding,
    decode: (bytes) =>
      Buffer.from(bytes)
        .toString("latin1")
        .replace(/[\x80-\xff]/g, (letter) => upper[letter.charCodeAt(0) - 128] ?? ""),
  };
}

function isCodePage(name: string): name is CodePage {
  return Object.hasOwn(upperHalves, name);
}
