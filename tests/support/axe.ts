import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { expect, type Page } from 'playwright/test';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare const axe: { run(context: Document, options: object): Promise<AxeResults> };

/** Expects that axe finds nothing on the page in its present state: WCAG 2.2 AA and best practice. */
export const expectNoAxeFindings = async (page: Page): Promise<void> => {
  await page.evaluate(source);
  const findings = await page.evaluate(async () => {
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  });
  expect(findings, 'what axe finds').toEqual([]);
};
