import * as v from 'valibot';
import { toPaise } from '#domain/money.ts';
import { type Environment, parseSettings, type Settings } from '#scripts/program/setting.ts';

export const CASH_SETTINGS = {
  COD_MOST: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^\d{1,7}$/, 'must be rupees, such as 5000')), '5000'),
    meaning: 'cod: the highest order that may be paid at the door, in rupees.',
  },
  COD_PIN_CODES: {
    schema: v.optional(
      v.pipe(v.string(), v.regex(/^[\d, ]*$/, 'must be PIN codes with commas, such as 4110, 400001')),
      '',
    ),
    meaning: 'cod: PIN codes, or how they begin, with commas between. Unset: everywhere.',
    example: '4110,400001',
  },
} satisfies Settings;

export const readCashSettings = (environment: Environment) => {
  const { COD_MOST, COD_PIN_CODES } = parseSettings(CASH_SETTINGS, environment);
  return {
    most: toPaise(Number(COD_MOST)),
    pinCodes: COD_PIN_CODES.split(',')
      .map((code) => code.trim())
      .filter((code) => code !== ''),
  };
};
