import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { WireProductPage } from '#api/schema/product.ts';
import { readCatalogue } from '#scripts/api/catalogue/folder/read.ts';
import { ProductListSchema } from '#scripts/api/catalogue/schema.ts';
import { testApi } from '#tests/api/support/api.ts';

/** What the storefront's lenient schemas make of the API's answers: nothing may be dropped on the way. */
describe('the storefront reads the reference API', () => {
  it('[spec 7.products.5, 7.products.6] every product of the demo catalogue, whole', async () => {
    const { ask } = await testApi({ catalogue: readCatalogue('scripts/catalogue') });
    for (const page of [1, 2]) {
      const { json } = await ask(`/products?limit=100&page=${page}`);
      const sent = v.parse(ProductListSchema, json);
      const read = await v.parseAsync(WireProductPage, json);
      expect(read.dropped).toEqual([]);
      expect(read.total).toBe(sent.count);
      expect(read.products.map(({ id, name, category }) => [id, name, category])).toEqual(
        sent.data.map(({ id, title, category }) => [id, title, category]),
      );
      for (const [index, product] of read.products.entries()) {
        expect(product.image).toBe(sent.data[index]?.imgUrl);
        expect(product.attributes).toHaveLength(sent.data[index]?.attributes.length ?? -1);
      }
    }
  });

  it('[spec 7.products.10] something for men, women and accessories in the demo catalogue', async () => {
    const { ask } = await testApi({ catalogue: readCatalogue('scripts/catalogue') });
    const filter = encodeURIComponent('Accessories,Personal Care,Home,null,Unisex');
    for (const query of ['gender=Men', 'gender=Women', `filter=${filter}`]) {
      const { total } = await v.parseAsync(WireProductPage, (await ask(`/products?${query}`)).json);
      expect(total).toBeGreaterThan(3);
    }
  });
});
