/** The address of a page, from the name of its file: `/contact.html` is `/contact`, `/index.html` is `/`. */
export const pagePath = (pathname: string): string =>
  pathname.replace(/(?:\/index)?(?:\.html)?\/?$/, '') || '/';
