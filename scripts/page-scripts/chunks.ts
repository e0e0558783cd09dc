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
    test: /\/src\/(?:stores\/(?:cart|toasts)|components\/shell\/(?:add|badge|toasts))\.ts$/,
  },
  // What both the shell and the parts that come later need: a page that carries the first in itself loads no second.
  {
    name: 'small',
    priority: 1,
    test: /\/src\/(?:stores\/(?:storage|page-loaded|carried-notices)|components\/(?:quiet|product\/(?:addition|product-card))|domain\/(?:cart|money|redirect)|api\/token-cookie|paths)\.ts$|\/node_modules\/nanostores\/|preload-helper/,
  },
  {
    name: 'later',
    test: /\/src\/(?:stores\/(?:idle|connection)|components\/shell\/(?:header|later|offline|service-worker|trusted-code|speculation(?:-rules)?|search-key|data-saver|language|stale))\.ts$|\/later\.css/,
  },
];
