import { expect, it } from 'vitest';
import { holders } from '#scripts/page-scripts/module-graph.ts';

it('names the chunks of which a page may hold one copy only', () => {
  const chunks = [
    { fileName: '_astro/shop.1.js', moduleIds: ['/shop/src/stores/cart.ts', '/shop/src/paths.ts'] },
    { fileName: '_astro/small.1.js', moduleIds: ['/shop/src/stores/storage.ts'] },
  ];
  expect(holders(chunks)).toEqual(['shop.1.js']);
});
