import { readFile } from 'node:fs/promises';
import type { ReactNode } from 'react';
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
import { Hint, Table } from '#server/admin/views/pieces.tsx';
import { capabilitiesOf } from '#server/services/capabilities.ts';
import type { Services } from '#server/services/services.ts';
import { STORE_DEFAULTS } from '#site.ts';
import { labelOf } from './fields.ts';
import { StoreAnswerSchema } from './schema.ts';

/** Returns the text that the site shows if the shop has none of its own. */
export async function builtInText(
  { settings }: Pick<Services, 'settings'>,
  slug: PolicySlug,
): Promise<string> {
  const file = new URL(`../../../src/catalogue/policies/${slug}.md`, import.meta.url);
  const capabilities = capabilitiesOf(settings);
  return onlySupported(await readFile(file, 'utf8'), (name) => capabilities.includes(name));
}

const PLACEHOLDERS: readonly (readonly [name: string, meaning: string])[] = [
  ...placeholderFields().map(({ name }) => [placeholderOf(name), labelOf(name).label] as const),
  ...Object.entries(COMPOSED_PLACEHOLDERS),
];

const AnswerSchema = v.pipe(v.string(), v.parseJson(), StoreAnswerSchema);

/** Returns the value of each placeholder, as the build of the site fills it in. */
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

/** Lists the placeholders with their current values. `insert.js` makes each a button that inserts it at the cursor. */
export const renderPlaceholders = (values: Readonly<Record<string, string>>): ReactNode => (
  <details>
    <summary>Words that are filled in</summary>
    <Hint data-insert-hint hidden>
      Press one to put it where you are writing.
    </Hint>
    <Table
      caption="They change in the pages when you change them under Store"
      heads={['Word', 'What it is', 'Now']}
      rows={PLACEHOLDERS.map(([name, meaning]) => [
        <code data-insert="field-text">{`{{${name}}}`}</code>,
        meaning,
        values[name] || 'nothing',
      ])}
    />
  </details>
);

/** Returns the HTML of the shop's page: with filled placeholders, and sanitised by the same rules. */
export const previewHtml = (text: string, values: Readonly<Record<string, string>>): string =>
  sanitizeHtml(fillPlaceholders(policyHtmlOf(text), values), POLICY_MARKUP);
