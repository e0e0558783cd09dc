import { readFile } from 'node:fs/promises';
import { html } from 'hono/html';
import sanitizeHtml from 'sanitize-html';
import * as v from 'valibot';
import { onlySupported } from '#domain/capabilities.ts';
import {
  COMPOSED_PLACEHOLDERS,
  fillPlaceholders,
  type PolicySlug,
  placeholderFields,
  placeholderOf,
  placeholderValues,
} from '#domain/policy.ts';
import { policyHtmlOf } from '#domain/policy-markdown.ts';
import { POLICY_MARKUP } from '#domain/policy-markup.ts';
import { withDefaults } from '#domain/store-fields.ts';
import type { Html } from '#server/admin/views/html.ts';
import { table } from '#server/admin/views/pieces.ts';
import { capabilitiesOf } from '#server/services/capabilities.ts';
import type { Services } from '#server/services/services.ts';
import { STORE_DEFAULTS } from '#site.ts';
import { STORE_WORDS, wordsOf } from './fields.ts';
import { StoreAnswerSchema } from './schema.ts';

/** The text that the site shows where the store has none of its own. */
export async function builtInText(
  { settings }: Pick<Services, 'settings'>,
  slug: PolicySlug,
): Promise<string> {
  const file = new URL(`../../../src/catalogue/policies/${slug}.md`, import.meta.url);
  const capabilities = capabilitiesOf(settings);
  return onlySupported(await readFile(file, 'utf8'), (name) => capabilities.includes(name));
}

/** The words that are filled in, and what each becomes. */
const PLACEHOLDERS: readonly (readonly [name: string, meaning: string])[] = [
  ...placeholderFields().map(({ name }) => [placeholderOf(name), wordsOf(STORE_WORDS, name).label] as const),
  ...Object.entries(COMPOSED_PLACEHOLDERS),
];

const AnswerSchema = v.pipe(v.string(), v.parseJson(), StoreAnswerSchema);

/** What stands in a policy in place of its placeholders, by what the build reads of the store. */
export async function policyValues({ catalogue }: Services): Promise<Readonly<Record<string, string>>> {
  const {
    paymentProviders = [],
    mailProvider = '',
    retention = [],
    ...record
  } = v.parse(AnswerSchema, (await catalogue()).storeInfo);
  const about = { paymentProviders, mailProvider, retention };
  return placeholderValues({ ...withDefaults(record, STORE_DEFAULTS), ...about });
}

/** The words that are filled in, with what each becomes now. A script makes each a button that puts it where the cursor stands. */
export const renderPlaceholders = (values: Readonly<Record<string, string>>): Html =>
  html`<details><summary>Words that are filled in</summary>
<p class="hint" data-insert-hint hidden>Press one to put it where you are writing.</p>
${table(
  'They change in the pages when you change them under Store',
  ['Word', 'What it is', 'Now'],
  PLACEHOLDERS.map(([name, meaning]) => [
    html`<code data-insert="field-text">{{${name}}}</code>`,
    meaning,
    values[name] || 'nothing',
  ]),
)}</details>`;

/** The text as the shop's page will show it: filled in, and cleaned by the same list. */
export const previewHtml = (text: string, values: Readonly<Record<string, string>>): string =>
  sanitizeHtml(fillPlaceholders(policyHtmlOf(text), values), POLICY_MARKUP);

/** The lines of a text that the other does not have. */
export function linesOnlyIn(text: string, other: string): string {
  const others = new Set(other.split('\n').map((line) => line.trim()));
  const lines = text.split('\n').filter((line) => !others.has(line.trim()));
  return lines.join('\n') || 'nothing else';
}
