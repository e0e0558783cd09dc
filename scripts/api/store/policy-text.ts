import { readFile } from 'node:fs/promises';
import sanitizeHtml from 'sanitize-html';
import { fillPlaceholders, PLACEHOLDERS, type PolicySlug } from '#domain/policy.ts';
import { POLICY_MARKUP } from '#domain/policy-markup.ts';
import { displayName } from '#domain/store-info.ts';
import type { StoreRecord } from './edit-store.ts';

/** The text that the site shows where the store has none of its own. */
export const builtInText = (slug: PolicySlug): Promise<string> =>
  readFile(new URL(`../../../src/catalogue/policies/${slug}.html`, import.meta.url), 'utf8');

/** The text as the shop's page will show it: filled in, and cleaned by the same list. The office does not know who the grievance officer is. */
export function previewHtml(text: string, record: StoreRecord): string {
  const { companyName, companyAddress, companyEmail, companyPhone, companyLogoUrl } = record;
  const name = displayName(record);
  const filled = fillPlaceholders(text, {
    storeName: name,
    companyName: companyName || name,
    companyAddress,
    companyEmail,
    companyPhone,
    companyLogoUrl,
    grievanceOfficerName: `[${PLACEHOLDERS.grievanceOfficerName}]`,
    grievanceOfficerDesignation: `[${PLACEHOLDERS.grievanceOfficerDesignation}]`,
  });
  return sanitizeHtml(filled, POLICY_MARKUP);
}

/** The lines of a text that the other does not have. */
export function linesOnlyIn(text: string, other: string): string {
  const others = new Set(other.split('\n').map((line) => line.trim()));
  const lines = text.split('\n').filter((line) => !others.has(line.trim()));
  return lines.join('\n') || 'nothing else';
}
