import sanitizeHtml from 'sanitize-html';
import { onlySupported } from '#domain/capabilities.ts';
import { fillPlaceholders, POLICIES, type PolicySlug, placeholderValues } from '#domain/policy.ts';
import { policyHtmlOf } from '#domain/policy-markdown.ts';
import { POLICY_MARKUP } from '#domain/policy-markup.ts';
import type { StoreInfo } from '#domain/store-info.ts';

/* The sanitised text of a policy page, from the server or built in. */

const builtIn = import.meta.glob<string>('./policies/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const isEmpty = (html: string): boolean => !/\S/.test(html.replace(/<[^<>]*>/g, ''));

const fillAndSanitise = (html: string, store: StoreInfo): string =>
  sanitizeHtml(fillPlaceholders(html, placeholderValues(store)), POLICY_MARKUP);

/** Returns the sanitised HTML of a policy: the server's if it has any text, else the built-in one. */
export function policyHtml(slug: PolicySlug, store: StoreInfo): string {
  const fromServer = fillAndSanitise(store.policies.get(slug) ?? '', store);
  if (!isEmpty(fromServer)) return fromServer;
  const builtInText = builtIn[`./policies/${slug}.md`];
  if (builtInText === undefined)
    throw new Error(`There is no text for '${POLICIES[slug]}' (src/catalogue/policies/${slug}.md).`);
  const text = onlySupported(builtInText, (name) => __CAPABILITIES__[name]);
  return fillAndSanitise(policyHtmlOf(text), store);
}
