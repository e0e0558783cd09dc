import { attributeValues, nameKey, type Product } from './product.ts';
import { tidyText } from './text.ts';

/** The fields that GET /products filters by, in lower case. */
export interface FilteredProduct {
  readonly category: string;
  readonly parentCategory: string;
  readonly genders: readonly string[];
}

export const filteredProduct = ({
  category,
  parentCategory,
  attributes,
}: Pick<Product, 'category' | 'parentCategory' | 'attributes'>): FilteredProduct => ({
  category: nameKey(category),
  parentCategory: nameKey(parentCategory),
  genders: attributeValues(attributes, ['gender']).map((gender) => nameKey(gender.trim())),
});

type Test = (product: FilteredProduct) => boolean;

/** Matches if one of the names is the category or parent category, and one is the gender; 'null' means no gender. */
function hasNames(list: string): Test {
  const names = new Set(list.split(',').map((name) => name.trim()));
  return ({ category, parentCategory, genders }) =>
    (names.has(category) || names.has(parentCategory)) &&
    (genders.length === 0 ? names.has('null') : genders.some((gender) => names.has(gender)));
}

/** The filters of GET /products, for the build and the API. Each gets its value in lower case. */
const PRODUCT_FILTERS = {
  category: (name) => (product) => product.category === name,
  parentCategory: (name) => (product) => product.parentCategory === name,
  gender: (name) => (product) => product.genders.includes(name),
  filter: hasNames,
} as const satisfies Readonly<Record<string, (value: string) => Test>>;

export type ProductFilterName = keyof typeof PRODUCT_FILTERS;

export type ProductFilters = Readonly<Partial<Record<ProductFilterName, string>>>;

export function productFilter(
  filters: Readonly<Partial<Record<ProductFilterName, string | undefined>>>,
): Test {
  const values = new Map(Object.entries(filters));
  const tests = Object.entries(PRODUCT_FILTERS).flatMap(([name, makeTest]) => {
    const value = values.get(name);
    return value ? [makeTest(nameKey(tidyText(value).replace(/ +/g, ' ')))] : [];
  });
  return (product) => tests.every((test) => test(product));
}
