/** The path of a page from the name of its file: `/contact` for `/contact.html`, `/` for `/index.html`. */
export const pagePath = (pathname: string): string =>
  pathname.replace(/(?:\/index)?(?:\.html)?\/?$/, '') || '/';
