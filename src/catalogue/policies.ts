import sanitizeHtml from 'sanitize-html';
import { fillPlaceholders, POLICIES, type PolicySlug } from '#domain/policy.ts';
import { displayName, type StoreInfo } from '#domain/store-info.ts';
import { site } from '#site.ts';

/* The sanitised text of a policy page, from the server or built in. */

const builtIn = import.meta.glob<string>('./policies/*.html', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const ID_PREFIX = 'policy-';

/** The page has its own h1, so an h1 in the text becomes an h2. */
const demote = sanitizeHtml.simpleTransform('h2', {});

/** The tags and attributes that are kept: text, tables, and harmless pictures and links (faults 49). */
const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['h2', 'h3', 'h4', 'p', 'br', 'hr', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'blockquote', 'address'],
    ...['strong', 'b', 'em', 'i', 'u', 's', 'small', 'sub', 'sup', 'abbr', 'code', 'span', 'div', 'section'],
    ...['a', 'img', 'table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    '*': ['id', 'lang', 'dir'],
    a: ['href'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    abbr: ['title'],
    th: ['scope', 'colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
    ol: ['start', 'type'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  transformTags: {
    h1: demote,
    img: (tagName, attribs) => ({
      tagName,
      attribs: { ...attribs, alt: attribs.alt ?? '', loading: 'lazy' },
    }),
    '*': (tagName, attribs) => ({ tagName, attribs: withPrefixedIds(attribs) }),
  },
};

function withPrefixedIds(attributes: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const { id, href } = attributes;
  return {
    ...attributes,
    ...(id ? { id: ID_PREFIX + id } : {}),
    ...(href?.startsWith('#') && href !== '#' ? { href: `#${ID_PREFIX}${href.slice(1)}` } : {}),
  };
}

const isEmpty = (html: string): boolean => !/\S/.test(html.replace(/<[^>]*>/g, ''));

function fillAndSanitise(html: string, store: StoreInfo): string {
  const { companyName, companyAddress, companyEmail, companyPhone, companyLogoUrl } = store;
  const name = displayName(store);
  return sanitizeHtml(
    fillPlaceholders(html, {
      storeName: name,
      companyName: companyName || name,
      companyAddress,
      companyEmail,
      companyPhone,
      companyLogoUrl,
      grievanceOfficerName: site.grievanceOfficer.name,
      grievanceOfficerDesignation: site.grievanceOfficer.designation,
    }),
    ALLOWED,
  );
}

/** The sanitised HTML of a policy: the server's if it has any text, else the built-in one (resolutions 41). */
export function policyHtml(slug: PolicySlug, store: StoreInfo): string {
  const fromServer = fillAndSanitise(store.policies.get(slug) ?? '', store);
  if (!isEmpty(fromServer)) return fromServer;
  const builtInText = builtIn[`./policies/${slug}.html`];
  if (builtInText === undefined)
    throw new Error(`There is no text for '${POLICIES[slug]}' (src/catalogue/policies/${slug}.html).`);
  return fillAndSanitise(builtInText, store);
}
