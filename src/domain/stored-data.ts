import { OWN } from './json.ts';

/** 'device' is localStorage, 'tab' is sessionStorage, 'offline' are the service worker's caches. */
export type StorageArea = 'device' | 'tab' | 'cookie' | 'offline';

export interface StoredData {
  readonly key: string;
  readonly where: StorageArea;
  readonly title: string;
  readonly text: string;
  readonly isPersonal?: true;
}

type Row = readonly [title: string, text: string, personal?: 'personal'];

const storedIn = (where: StorageArea, rows: Readonly<Record<string, Row>>): StoredData[] =>
  Object.entries(rows).map(([key, [title, text, personal]]) => ({
    ...{ key, where, title, text },
    ...(personal ? { isPersonal: true } : {}),
  }));

/**
 * Everything that the shop stores in a browser, by key. A sign-out deletes the personal entries. A test fails if a
 * stored key is not listed here.
 */
export const STORED_DATA: readonly StoredData[] = [
  ...storedIn('device', {
    cart: ['Your cart', 'Products, amounts and choices.'],
    wishlist: ['Your wishlist', 'Products you marked with the heart.'],
    'recently-viewed': ['Products you looked at', 'The latest ones, so that you find them again.'],
    place: ['Where to deliver', 'The PIN code that you typed on a product’s page.', 'personal'],
    addresses: [
      'Remembered addresses',
      'Only those for which you ticked the box at the checkout.',
      'personal',
    ],
    'remembered-email': ['Your email', 'For the next sign-in, if you ticked Remember me.', 'personal'],
    'pending-payment': [
      'A payment you have started',
      'Its code, until it has arrived or its time is over.',
      'personal',
    ],
    'checkout-attempt': [
      'The number of your next order',
      'Made up by your browser, so that one order is not placed twice.',
    ],
    'signed-out': ['Your last sign-out', 'When it was, so that no tab keeps the address you were typing.'],
    'known-device': [
      'That this device is known',
      'A random number of the shop’s, so that nobody who guesses your password elsewhere can lock you out here.',
    ],
    'data-saver': ['Data saver', 'That you switched it on.'],
    language: ['Language', 'That you chose Hindi.'],
    grid: ['View of the products', 'Two or three in a row.'],
    fonts: ['Fonts', 'That this device has the shop’s fonts already.'],
  }),
  ...storedIn('cookie', {
    auth_token: ['Your sign-in', 'A cookie that keeps you signed in for 30 days. Deleting it signs you out.'],
  }),
  ...storedIn('offline', {
    [OWN]: [
      'Pages for when there is no signal',
      'Pages you visited, with their pictures. They come back as you browse.',
    ],
  }),
  ...storedIn('tab', {
    'checkout-address': ['The address you are typing', 'Until the order is made.', 'personal'],
    'order-to-pay': ['The order you are paying', 'Its number.', 'personal'],
    'shown-total': [
      'What your order came to',
      'As it stood at the checkout, to tell if the shop charges more.',
      'personal',
    ],
    from: ['Where you came from', 'To go back there after the sign-in.', 'personal'],
    notices: ['A notice', 'For the next page, such as Order placed.'],
    store: ['The shop’s name and contact', 'As the shop says today.'],
    warmed: ['Next pages', 'Which were fetched ahead.'],
    reloaded: ['Last reload', 'When a page was out of date.'],
  }),
];
