import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';

const CODE = readFileSync('scripts/publish/hosts/examples/cloudfront-function.js', 'utf8');

type Answer = { uri?: string; statusCode?: number; headers?: { location: { value: string } } };

const answer = (uri: string, querystring: object = {}): Answer =>
  runInNewContext(`${CODE}; handler({ request: { uri: ${JSON.stringify(uri)}, querystring: query } })`, {
    query: querystring,
  });

describe('the CloudFront function', () => {
  test.each([
    ['/', '/index.html'],
    ['/cart', '/cart.html'],
    ['/cart.html', '/cart.html'],
    ['/product/apple', '/product/apple.html'],
    ['/product/apple-1.5kg', '/product/apple-1.5kg.html'],
    ['/product/apple-1.5kg.html', '/product/apple-1.5kg.html'],
    ['/_astro/app.a1B2.js', '/_astro/app.a1B2.js'],
    ['/listing/all/1.json', '/listing/all/1.json'],
    ['/site.webmanifest', '/site.webmanifest'],
  ])('%s is the file %s', (address, file) => {
    expect(answer(address)).toMatchObject({ uri: file });
  });

  test.each([
    ['/products/apple', '/product/apple'],
    ['/products/apple-1.5kg/', '/product/apple-1.5kg'],
    ['/cart/', '/cart'],
  ])('%s redirects to %s and keeps the query', (address, target) => {
    const query = { a: { value: '1' }, b: { value: '2', multiValue: [{ value: '2' }, { value: '' }] } };
    expect(answer(address, query)).toMatchObject({
      statusCode: 301,
      headers: { location: { value: `${target}?a=1&b=2&b` } },
    });
    expect(answer(address).headers?.location.value).toBe(target);
  });

  test('never redirects to another site', () => {
    expect(answer('//evil.example/').statusCode).toBeUndefined();
  });
});
