import { cutToBytes, firstWithinBytes } from './page-bytes.ts';
import { type Attribute, attributeKey, attributeValues, isNamed } from './product.ts';

const SPECIFICATION_LIMIT = 10;
/** The most bytes that the values of one row take up in a page. */
const SPECIFICATION_BYTES = 400;

export function isFeatured(attributes: readonly Attribute[]): boolean {
  return attributeValues(attributes, ['featured']).some((value) => value.toLowerCase().includes('true'));
}

/** Limits for sizes and for colours: their number, the bytes of each one, and the bytes of all. */
const OPTION_LIMIT = 60;
const OPTION_BYTES = 200;
const OPTIONS_BYTES = 1_600;

const options = (attributes: readonly Attribute[], names: readonly string[]): string[] => {
  const values = attributeValues(attributes, names).map((value) => cutToBytes(value.trim(), OPTION_BYTES));
  const choices = [...new Set(values)].filter((value) => value !== '').slice(0, OPTION_LIMIT);
  return firstWithinBytes(choices, OPTIONS_BYTES);
};

export const SIZE_NAMES = ['size', 'sizes'] as const;

export const COLOUR_NAMES = ['colour', 'color', 'colors'] as const;

export const sizesOf = (attributes: readonly Attribute[]): string[] => options(attributes, SIZE_NAMES);

export const colorsOf = (attributes: readonly Attribute[]): string[] => options(attributes, COLOUR_NAMES);

const isOption = (attribute: Attribute): boolean =>
  isNamed(attribute, SIZE_NAMES) || isNamed(attribute, COLOUR_NAMES);

/** `countryOfOrigin` and `country_of_origin` become 'Country of origin'. 'pH value' stays as it is. */
export function labelOf(attribute: Attribute): string {
  if (isOption(attribute)) return isNamed(attribute, SIZE_NAMES) ? 'Sizes' : 'Colours';
  const key = attribute.key.trim().replace(/_+/g, ' ');
  if (/^[a-z][A-Z]/.test(key)) return key;
  const words = key.replace(/\B[A-Z](?=[a-z])/g, (capital) => ` ${capital.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const valueText = ({ values, unit }: Attribute): string =>
  cutToBytes(values.join(', '), SPECIFICATION_BYTES) + (unit ? ` ${unit}` : '');

const hasText = ({ values }: Attribute): boolean => values.some((value) => value.trim() !== '');

/** Returns the first of these attributes with a value, such as 'Storage In the fridge', or ''. */
export function attributeLine(attributes: readonly Attribute[], names: readonly string[]): string {
  const found = names.map((name) =>
    attributes.find((each) => labelOf(each).toLowerCase() === name && hasText(each)),
  );
  const attribute = found.find((each) => each !== undefined);
  return attribute ? `${cutToBytes(labelOf(attribute), OPTION_BYTES)} ${valueText(attribute)}` : '';
}

/**
 * Returns at most ten rows for the specification table. Leaves out `featured` and keys that contain 'phone'.
 * Sizes and colours come last, because the page already shows them above the table.
 */
export function specifications(attributes: readonly Attribute[]): { name: string; value: string }[] {
  const shown = attributes
    .filter(
      (attribute) => !attributeKey(attribute).includes('phone') && attributeKey(attribute) !== 'featured',
    )
    .filter(hasText);
  return [...shown.filter((attribute) => !isOption(attribute)), ...shown.filter(isOption)]
    .slice(0, SPECIFICATION_LIMIT)
    .map((attribute) => ({ name: labelOf(attribute), value: valueText(attribute) }));
}
