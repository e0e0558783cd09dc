/* Texts as they arrive when copied from a message, a PDF or a chat, or typed on another keyboard. */

type Paste = (text: string) => string;

const digitsFrom =
  (zero: number): Paste =>
  (text) =>
    text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

/** Invisible characters. Without them, the text is the same. */
export const INVISIBLE_PASTES: Readonly<Record<string, Paste>> = {
  'between direction marks': (text) => `\u202a${text}\u202c`,
  'between isolates': (text) => `\u2068${text}\u2069`,
  'after a zero-width space': (text) => `\u200b${text}`,
  'after a joiner': (text) => `\u200d${text}`,
  'with a byte order mark': (text) => `\ufeff${text}\ufeff`,
  'with a soft hyphen': (text) => [...text].toSpliced(2, 0, '\u00ad').join(''),
  'with word joiners and Arabic marks': (text) => `\u2060${text}\u061c\u200f`,
  'between special blanks': (text) => `\u00a0\u202f${text}\u3000\t`,
};

/** Other signs for the same number or code. */
export const CODE_PASTES: Readonly<Record<string, Paste>> = {
  ...INVISIBLE_PASTES,
  'in Devanagari': digitsFrom(0x0966),
  'in Bengali': digitsFrom(0x09e6),
  'in Tamil': digitsFrom(0x0be6),
  'in Arabic': digitsFrom(0x0660),
  'in Urdu': digitsFrom(0x06f0),
  'in Santali': digitsFrom(0x1c50),
  'in full width': (text) =>
    text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  'with hard hyphens': (text) => text.replaceAll('-', '\u2011'),
  'with minus signs': (text) => text.replaceAll('-', '\u2212'),
};

/** Words that lose or change a letter without their joiner: Malayalam, Marathi, Bengali, Hindi; and a family. */
export const JOINED = ['അവന്‍ വന്നു', 'दर्‍याखोरे', 'র‍্যাব', 'नमस्‌ते', '👩‍👧'];
