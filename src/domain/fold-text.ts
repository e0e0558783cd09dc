import { tidyCode } from './text.ts';

/** Letters that older keyboards write as consonant, virama and joiner, such as the chillus of Malayalam. */
const JOINED: Readonly<Record<string, string>> = {
  ൺ: 'ണ്',
  ൻ: 'ന്',
  ർ: 'ര്',
  ൽ: 'ല്',
  ൾ: 'ള്',
  ൿ: 'ക്',
  ৎ: 'ত্',
};

/**
 * The form in which texts are compared: two texts that people read as one are equal, whichever code points their keyboards
 * wrote. Ignores case, blanks, joiners, the shapes of dashes and apostrophes, and the scripts of digits.
 */
export const foldText = (text: string): string =>
  tidyCode(text)
    .replace(/[`´‘’ʼ′]/g, "'")
    .normalize('NFKD')
    .replace(/[ൺ-ൿৎ]/g, (letter) => JOINED[letter] ?? letter)
    // Upper case first, so that ß is ss.
    .toUpperCase()
    .toLowerCase()
    // Composes all letters except those with a nukta, which Unicode never composes.
    .normalize('NFC');

/** The form in which texts are searched: people leave out accents and nuktas. */
export const searchText = (text: string): string =>
  foldText(text)
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc]/g, '')
    .normalize('NFC');
