import { expect, test } from 'vitest';
import { formatRupees } from '#domain/money.ts';
import { productTexts } from '#domain/product-texts.ts';
import { aProduct } from '#tests/support/product.ts';

test('the texts of a product’s page', () => {
  const attributes = [
    { key: 'Net weight', values: ['1.5'], unit: 'kg' },
    { key: 'Origin', values: ['Ratnagiri'] },
  ];
  const { name, category, description } = aProduct();
  expect(productTexts(aProduct({ id: 'be90d3f6-1', price: 899, attributes }))).toEqual({
    name,
    category,
    id: 'be90d3f6',
    description,
    note: `${formatRupees(599.33)}/kg · Inclusive of all taxes`,
    facts: 'Net weight 1.5 kg · Origin Ratnagiri',
  });
});

test('a line of which the product says nothing is empty', () => {
  expect(productTexts(aProduct({ price: 0, attributes: [] }))).toMatchObject({ note: '', facts: '' });
});
