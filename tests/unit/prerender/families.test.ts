import { expect, test } from 'vitest';
import { pageFamilies } from '#scripts/prerender/families.ts';
import type { Path } from '#scripts/prerender/path.ts';

const ROUTE = { component: 'src/pages/product/[id].astro', type: 'page' };

const pathOf = (id: string): Path => ({ pathname: `/product/${id}`, route: ROUTE, cacheKey: `key ${id}` });

/** What Astro knows of a request, as far as a page can ask for it. */
function requestOf(id: string) {
  const url = new URL(`https://shop.example/product/${id}.html`);
  const request = new Request(url);
  return {
    pathname: url.pathname,
    params: { id },
    links: new Set<unknown>(),
    scripts: new Set<unknown>(),
    styles: new Set<unknown>(['sheet']),
    _metadata: { seen: new Set<unknown>() },
    createAstro: () => ({ url, request }),
  };
}

type Result = ReturnType<typeof requestOf>;

/** Two products' pages, of which the first was made by Astro. */
async function afterTheFirst() {
  const families = pageFamilies(async (result, component, props, slots) => component(result, props, slots));
  const module = families.join(ROUTE.component, {
    default: (given, props) => {
      const result = given as unknown as Result;
      const { url, request } = result.createAstro();
      const told = [url.pathname, request.url, result.pathname, result.params.id, JSON.stringify(props)];
      const kept = [result.styles.size, result._metadata.seen.size].join();
      result.styles.clear();
      result._metadata.seen.add(url.pathname);
      return [...told, kept].join(' ');
    },
    getStaticPaths: async () => [
      { params: { id: 'a' }, props: { name: 'Apple' }, cacheKey: 'key a' },
      { params: { id: 'b' }, props: { name: 'Berry' }, cacheKey: 'key b' },
    ],
  });
  await module.getStaticPaths?.({});
  const beforeIt = await families.render(pathOf('b'));
  module.default(requestOf('a'), { name: 'Apple' }, {});
  return { families, beforeIt };
}

test('a page of a route made before has its own address, parameters, props, styles and notes', async () => {
  const { families } = await afterTheFirst();
  const page = '/product/b.html https://shop.example/product/b.html /product/b.html b {"name":"Berry"} 1,0';
  expect(await families.render(pathOf('b'))).toBe(page);
  expect(await families.render(pathOf('b'))).toBe(page);
});

test('the first page of a route, one that nobody can tell from others and one of no family are left to Astro', async () => {
  const { families, beforeIt } = await afterTheFirst();
  expect(beforeIt).toBeUndefined();
  expect(await families.render({ ...pathOf('b'), cacheKey: undefined })).toBeUndefined();
  expect(await families.render({ ...pathOf('b'), route: { ...ROUTE, component: 'other' } })).toBeUndefined();
});
