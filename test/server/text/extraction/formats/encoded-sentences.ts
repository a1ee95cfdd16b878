import { decoderNamed } from "#server/text/extraction/formats/encoding.ts";

export const sentences = {
  german:
    "Die Stadtverwaltung prüft die Anträge. Die Höhe der Mauer beträgt zwei Meter; Einwände " +
    "können bis zum 3. März schriftlich erhoben werden. Die Gebühr ist fällig.",
  french:
    "La commission a examiné la requête déposée à la mairie. Les frais s’élèvent à 120 €, " +
    "payables à réception de l’avis. Une réponse écrite est exigée avant le 3 février.",
  polish:
    "Wniosek o pozwolenie na budowę został złożony w urzędzie. Opłata wynosi sto złotych; " +
    "należy ją uiścić w ciągu siedmiu dni. Właściciel żąda pisemnej odpowiedzi.",
  czech:
    "Žádost o stavební povolení byla podána na úřadě. Poplatek činí sto korun a je splatný do " +
    "sedmi dnů. Majitel žádá písemnou odpověď.",
  russian:
    "Заявление о разрешении на строительство подано в управление. Плата составляет сто рублей " +
    "и вносится в течение семи дней. Владелец просит ответить письменно.",
  japanese:
    "建築許可の申請書は市役所に提出されました。手数料は百円で、七日以内に支払う必要があります。" +
    "所有者は書面での回答を求めています。",
  chinese: "建筑许可申请已提交给市政府。费用为一百元，应在七天内支付。业主要求书面答复。",
  korean:
    "건축 허가 신청서가 시청에 제출되었습니다. 수수료는 백 원이며 칠 일 이내에 납부해야 합니다.",
  greek: "Η αίτηση για οικοδομική άδεια κατατέθηκε στο δημαρχείο. Το τέλος είναι εκατό ευρώ.",
  turkish:
    "Yapı ruhsatı başvurusu belediyeye sunuldu. Ücret yüz liradır ve yedi gün içinde ödenmelidir.",
  thai: "คำขออนุญาตก่อสร้างได้ยื่นต่อสำนักงานเทศบาลแล้ว ค่าธรรมเนียมหนึ่งร้อยบาท ต้องชำระภายในเจ็ดวัน",
  hebrew: "הבקשה להיתר בנייה הוגשה לעירייה. האגרה היא מאה שקלים ויש לשלם אותה תוך שבעה ימים.",
} as const;

/** The bytes of a text: the reverse of the runtime's decoder, over all sequences of one and two. */
export function encode(text: string, charset: string): Buffer {
  if (charset === "utf-16le") return Buffer.from(text, "utf16le");
  if (charset === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  const decoder = decoderNamed(charset);
  const known = new Map<string, number[]>();
  const add = (bytes: number[]): void => {
    const letter = decoder?.decode(Uint8Array.from(bytes)) ?? "";
    const isOne = Array.from(letter).length === 1 && letter !== "\ufffd";
    if (isOne && !known.has(letter)) known.set(letter, bytes);
  };
  for (let byte = 0; byte < 256; byte += 1) add([byte]);
  if (/^(?:shift_jis|gbk|big5|euc-)/.test(charset)) {
    for (let lead = 0x81; lead < 256; lead += 1) {
      for (let trail = 0x40; trail < 256; trail += 1) add([lead, trail]);
    }
  }
  return Buffer.from(
    Array.from(text).flatMap((letter) => {
      const bytes = known.get(letter);
      if (bytes === undefined) throw new Error(`${charset} has no ${letter}`);
      return bytes;
    }),
  );
}
