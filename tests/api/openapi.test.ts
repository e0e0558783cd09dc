import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CALLS } from '#scripts/api/openapi/calls.ts';
import { openApiText } from '#scripts/api/openapi/document.ts';
import { ROUTES } from '#scripts/api/routes.ts';

describe('openapi.json', () => {
  it('[architecture · interfaces] is what the schemas say now (npm run openapi)', () => {
    expect(readFileSync('scripts/api/openapi.json', 'utf8') === openApiText()).toBe(true);
  });

  it('describes every call and no other', () => {
    expect(Object.keys(CALLS).sort()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('has no reference that leads nowhere', () => {
    const text = openApiText();
    const names = Object.keys(JSON.parse(text).components.schemas);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) expect(names).toContain(name);
  });
});
