import { readFile } from 'node:fs/promises';
import sanitizeHtml from 'sanitize-html';
import { policyHtmlOf } from '#catalogue/policy-markdown.ts';
import { onlyOffered } from '#domain/offered-lines.ts';
import {
  COMPOSED_PLACEHOLDERS,
  fillPlaceholders,
  type PolicySlug,
  placeholderFields,
  placeholderOf,
  placeholderValues,
} from '#domain/policy.ts';
import { POLICY_MARKUP } from '#domain/policy-markup.ts';
import { type StoreRecord, withDefaults } from '#domain/store-fields.ts';
import { offersOf } from '#scripts/api/shop/offers.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { STORE_DEFAULTS } from '#site.ts';
import { STORE_WORDS, wordsOf } from './fields.ts';

/** The text that the site shows where the store has none of its own. */
export async function builtInText({ settings }: Pick<Shop, 'settings'>, slug: PolicySlug): Promise<string> {
  const file = new URL(`../../../src/catalogue/policies/${slug}.md`, import.meta.url);
  const offers = offersOf(settings);
  return onlyOffered(await readFile(file, 'utf8'), (name) => offers.includes(name));
}

/** The words that are filled in, and what each becomes. */
export const PLACEHOLDERS: readonly (readonly [name: string, meaning: string])[] = [
  ...placeholderFields().map(({ name }) => [placeholderOf(name), wordsOf(STORE_WORDS, name).label] as const),
  ...Object.entries(COMPOSED_PLACEHOLDERS),
];

/** The text as the shop's page will show it: filled in, and cleaned by the same list. */
export const previewHtml = (text: string, record: StoreRecord): string =>
  sanitizeHtml(
    fillPlaceholders(policyHtmlOf(text), placeholderValues(withDefaults(record, STORE_DEFAULTS))),
    POLICY_MARKUP,
  );

/** The lines of a text that the other does not have. */
export function linesOnlyIn(text: string, other: string): string {
  const others = new Set(other.split('\n').map((line) => line.trim()));
  const lines = text.split('\n').filter((line) => !others.has(line.trim()));
  return lines.join('\n') || 'nothing else';
}
