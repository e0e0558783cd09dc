const modules = (folder: string, names: string): string => `/src/${folder}/(?:${names})\\.tsx?$`;

const anyOf = (...patterns: string[]): RegExp => new RegExp(patterns.join('|'));

/**
 * Which modules of the browser's scripts are bundled into one file (`codeSplitting.groups` of Rolldown). A file also
 * holds what its modules import, unless a file before it in this list holds that. The bundler splits everything else by
 * itself, into one file for each set of pages that share a module: without these groups an island asks for up to 45
 * files. Only the runtime of Rolldown, which every file with React needs, stays a file of its own.
 */
const files: readonly { readonly name: string; readonly test: RegExp }[] = [
  {
    // The script of every page, and the small modules that most other scripts share with it.
    name: 'shop',
    test: anyOf(
      '/src/components/Shell\\.astro\\?',
      modules('components/shell', 'idle-event'),
      modules('stores/shell', 'page-loaded'),
      modules('api', 'token-cookie'),
      modules('domain', 'tint|url|order-amounts|new-order'),
    ),
  },
  {
    name: 'react',
    test: /\/node_modules\/(?:react|react-dom|scheduler|@nanostores\/react|nanostores)\//,
  },
  // What reads and writes the token. Apart, because the device page needs no API.
  { name: 'token', test: anyOf('/node_modules/js-cookie/', modules('api', 'token')) },
  {
    // What every call of the API needs, and valibot. ky.ts is a file of its own, which loads later.
    name: 'api',
    test: anyOf(
      '/node_modules/valibot/',
      modules('api', 'client|orders|account'),
      modules('api/schema', 'lenient'),
      modules('domain', 'date'),
    ),
  },
  {
    // What renders cards and listings.
    name: 'card',
    test: anyOf(
      modules('components/product', 'card'),
      modules('domain', 'product|listing|listing-data|picture'),
      modules('api', 'listing-data'),
    ),
  },
  // What renders a listing. results.ts acts when it is loaded, so it must not be in a file that other pages load.
  { name: 'results', test: anyOf(modules('components/listing', 'results|address')) },
  { name: 'later', test: anyOf(modules('components/shell', 'later|speculation-rules')) },
  {
    // What content pages fetch from the API when they are idle.
    name: 'quiet-refresh',
    test: anyOf(
      modules('api', 'requests|background|build-info'),
      modules('components/shell', 'store-texts|build-info'),
      modules('components/listing', 'live'),
      modules('components/home', 'featured-live'),
      modules('domain', 'card'),
    ),
  },
  {
    // What most islands share.
    name: 'island',
    test: anyOf(
      modules('islands/ui', 'Island|Button|icons|hooks|Facts|Steps'),
      modules('stores/account', 'private-page'),
      modules('stores/orders', 'own-order'),
      modules('stores/checkout', 'shown-total|clear-drafts'),
      modules('stores/shell', 'clipboard|pause'),
      modules('api', 'failure'),
      modules('domain', 'order|order-status'),
    ),
  },
  {
    name: 'form',
    test: anyOf(
      modules('islands/ui', 'Field|ErrorSummary|PasswordField|use-form'),
      modules('domain', 'phone|email|shipping-address'),
    ),
  },
  {
    // What the forms of an account share.
    name: 'auth',
    test: anyOf(
      modules('islands/auth', 'AccountForm'),
      modules('stores/account', 'form'),
      modules('domain', 'account'),
    ),
  },
  {
    // What My Orders shares with an order that was tracked.
    name: 'shown-order',
    test: anyOf(modules('domain', 'order-steps|order-return')),
  },
  {
    // What buying again shares with a shared cart.
    name: 'requested',
    test: anyOf(modules('islands/ui', 'UnavailableItems'), modules('domain', 'requested-items')),
  },
  {
    // The lines of a cart, in the cart and the checkout, and what changes them.
    name: 'lines',
    test: anyOf(
      modules('islands/ui', 'ProductThumb|EmptyCart|Totals|PriceChange'),
      modules('stores/cart', 'price-check|products-today|cart-edits'),
    ),
  },
  { name: 'product', test: /\/src\/pages\/product\/\[id\]\.astro\?/ },
  { name: 'listing', test: /\/src\/pages\/products\.astro\?/ },
];

export const sharedFiles = files.map((file, index) => ({ ...file, priority: files.length - index }));
