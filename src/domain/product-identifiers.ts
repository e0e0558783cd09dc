import { type Attribute, attributeKey } from './product.ts';

/* The brand and the numbers by which Google and others recognise a product, from its attributes. */

const KEYS = {
  brand: /^(?:brands?|brand name)$/,
  gtin: /^(?:gtin|ean|upc|isbn|jan|bar ?code)(?:[ -]?\d+)?$/,
  mpn: /^(?:mpn|(?:manufacturer )?part (?:number|no\.?))$/,
} as const;

/** In characters: a limit of Google for brands and part numbers. */
const MAX_LENGTH = 70;

/** Numbers that a shop gives by itself, and coupons: they must not be passed on as a GTIN. */
const INTERNAL = /^0(?:2|02|04|9[89])/;

/** Whether it is a GTIN (EAN, UPC, ISBN-13) with the right check digit, without spaces and hyphens. */
export function isGtin(code: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(code)) return false;
  const digits = code.padStart(14, '0');
  const sum = [...digits].reduce(
    (total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1),
    0,
  );
  return sum % 10 === 0 && !INTERNAL.test(digits);
}

/** Returns the code without what is printed between its digits. Shopify's files have an apostrophe before it. */
export const tidyGtin = (code: string): string => code.replaceAll(/[\s'’-]/g, '');

/** Each is undefined if no attribute has it. */
export function identifiersOf(attributes: readonly Attribute[]) {
  const valuesOf = (kind: keyof typeof KEYS) =>
    attributes
      .filter((attribute) => KEYS[kind].test(attributeKey(attribute)))
      .flatMap(({ values }) => values.map((value) => value.trim().slice(0, MAX_LENGTH)))
      .filter(Boolean);
  const codes = new Set(valuesOf('gtin').map(tidyGtin).filter(isGtin));
  // Several are of its sizes or colours: none is the product's.
  const [gtin] = codes.size === 1 ? codes : [];
  return { brand: valuesOf('brand')[0], gtin, mpn: valuesOf('mpn')[0] };
}
