/* The options of sanitize-html for policies, shared by the shop's pages and the admin's preview. */

interface Attributes {
  [name: string]: string;
}

interface Tag {
  tagName: string;
  attribs: Attributes;
}

const ID_PREFIX = 'policy-';

const withPrefixedIds = (tagName: string, attribs: Attributes): Tag => {
  const { id, href } = attribs;
  return {
    tagName,
    attribs: {
      ...attribs,
      ...(id ? { id: ID_PREFIX + id } : {}),
      ...(href?.startsWith('#') && href !== '#' ? { href: `#${ID_PREFIX}${href.slice(1)}` } : {}),
    },
  };
};

/** The page has its own h1, so an h1 in the text becomes an h2. */
const demote = (_tagName: string, attribs: Attributes): Tag => ({ tagName: 'h2', attribs });

export const POLICY_MARKUP = {
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
    img: (tagName: string, attribs: Attributes): Tag => ({
      tagName,
      attribs: { ...attribs, alt: attribs.alt ?? '', loading: 'lazy' },
    }),
    '*': withPrefixedIds,
  },
};
