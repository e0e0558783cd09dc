/**
 * What every page with an island loads, in two files instead of two dozen: React with what binds it to the stores, and
 * the small code of the shell. Only what the shell itself needs may be named: content pages carry it in themselves.
 */
export const chunkGroups = [
  {
    name: 'react',
    test: /\/node_modules\/(?:react|react-dom|scheduler|@astrojs\/react)\//,
  },
  {
    name: 'shop',
    test: /\/node_modules\/nanostores\/|\/src\/(?:stores\/(?:cart|toasts|storage|idle)|domain\/(?:cart|money)|paths|api\/token-cookie|components\/shell\/\w+)\.ts$|preload-helper/,
  },
];
