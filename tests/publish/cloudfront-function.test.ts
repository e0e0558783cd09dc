import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

const CODE = readFileSync('scripts/publish/hosts/examples/cloudfront-function.js', 'utf8');

type Answer = { uri?: string; statusCode?: number; headers?: { location: { value: string } } };

const answer = (uri: string, querystring: object = {}): Answer =>
  runInNewContext(`${CODE}; handler({ request: { uri: ${JSON.stringify(uri)}, querystring: query } })`, {
    query: querystring,
  });

test.each([
  ['/', '/index.html'],
  ['/cart', '/cart.html'],
  ['/cart.html', '/cart.html'],
  ['/product/apple-1.5kg', '/product/apple-1.5kg.html'],
  ['/_astro/app.a1B2.js', '/_astro/app.a1B2.js'],
  ['/listing/all/1.json', '/listing/all/1.json'],
])('for the CloudFront function %s is the file %s', (address, file) => {
  expect(answer(address)).toMatchObject({ uri: file });
});

test.each([
  ['/products/apple-1.5kg/', '/product/apple-1.5kg'],
  ['/cart/', '/cart'],
])('the CloudFront function redirects %s to %s and keeps the query', (address, target) => {
  const query = { a: { value: '1' }, b: { value: '2', multiValue: [{ value: '2' }, { value: '' }] } };
  expect(answer(address, query)).toMatchObject({
    statusCode: 301,
    headers: { location: { value: `${target}?a=1&b=2&b` } },
  });
  expect(answer('//evil.example/').statusCode).toBeUndefined();
});
