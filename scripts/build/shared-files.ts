/**
 * Which modules of the browser's scripts are bundled into one file (`codeSplitting.groups` of Rolldown). A file also
 * holds what its modules import, unless a file of higher priority holds that. The bundler splits everything else by
 * itself, into one file for each set of pages that share a module.
 */
export const sharedFiles = [
  // The script of every page, and the modules that the scripts of single pages share with it.
  { name: 'shop', priority: 5, test: /\/src\/components\/(?:Shell\.astro\?|shell\/idle-event\.ts)/ },
  {
    name: 'react',
    priority: 4,
    test: /\/node_modules\/(?:react|react-dom|scheduler|@astrojs\/react|@nanostores\/react)\//,
  },
  // Modules that later.ts shares with the islands and with the code that draws cards.
  {
    name: 'base',
    priority: 3,
    test: /\/src\/(?:stores\/shell\/(?:idle|connection|page-loaded)|api\/token-cookie|components\/product\/no-picture)\.ts$/,
  },
  { name: 'later', priority: 2, test: /\/src\/components\/shell\/later\.ts$/ },
  // The scripts of the product page and of the listing, and the code that draws a card.
  { name: 'product', priority: 1, test: /\/src\/pages\/product\/\[id\]\.astro\?/ },
  { name: 'listing', priority: 1, test: /\/src\/pages\/products\.astro\?/ },
  { name: 'card', priority: 0, test: /\/src\/(?:components\/product|domain)\/card\.ts$/ },
];
