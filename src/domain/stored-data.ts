/** 'device' is localStorage, 'tab' is sessionStorage, 'offline' are the service worker's caches. */
export type StorageArea = 'device' | 'tab' | 'cookie' | 'offline';

export interface StoredData {
  readonly key: string;
  readonly where: StorageArea;
  readonly title: string;
  readonly text: string;
  /** Signing out deletes it. */
  readonly isPersonal?: true;
}

/** Everything that the shop stores in a browser. A test fails when the shop stores a key that is not listed here. */
export const STORED_DATA: readonly StoredData[] = [
  { key: 'cart', where: 'device', title: 'Your cart', text: 'Products, amounts and choices.' },
  { key: 'wishlist', where: 'device', title: 'Your wishlist', text: 'Products you marked with the heart.' },
  {
    key: 'recently-viewed',
    where: 'device',
    title: 'Products you looked at',
    text: 'The latest ones, so that you find them again.',
  },
  {
    key: 'addresses',
    where: 'device',
    title: 'Remembered addresses',
    text: 'Only those for which you ticked the box at the checkout.',
    isPersonal: true,
  },
  {
    key: 'remembered-email',
    where: 'device',
    title: 'Your email',
    text: 'For the next sign-in, if you ticked Remember me.',
    isPersonal: true,
  },
  {
    key: 'checkout-attempt',
    where: 'device',
    title: 'The number of your next order',
    text: 'Made up by your browser, so that one order is not placed twice.',
  },
  {
    key: 'signed-out',
    where: 'device',
    title: 'Your last sign-out',
    text: 'When it was, so that no tab keeps the address you were typing.',
  },
  {
    key: 'known-device',
    where: 'device',
    title: 'That this device is known',
    text: 'A random number of the shop’s, so that nobody who guesses your password elsewhere can lock you out here.',
  },
  { key: 'data-saver', where: 'device', title: 'Data saver', text: 'That you switched it on.' },
  { key: 'language', where: 'device', title: 'Language', text: 'That you chose Hindi.' },
  { key: 'grid', where: 'device', title: 'View of the products', text: 'Two or three in a row.' },
  { key: 'fonts', where: 'device', title: 'Fonts', text: 'That this device has the shop’s fonts already.' },
  {
    key: 'auth_token',
    where: 'cookie',
    title: 'Your sign-in',
    text: 'A cookie that keeps you signed in for 30 days. Deleting it signs you out.',
  },
  {
    key: 'shop-',
    where: 'offline',
    title: 'Pages for when there is no signal',
    text: 'Pages you visited, with their pictures. They come back as you browse.',
  },
  {
    key: 'checkout-address',
    where: 'tab',
    title: 'The address you are typing',
    text: 'Until the order is made.',
    isPersonal: true,
  },
  {
    key: 'order-to-pay',
    where: 'tab',
    title: 'The order you are paying',
    text: 'Its number.',
    isPersonal: true,
  },
  {
    key: 'shown-total',
    where: 'tab',
    title: 'What your order came to',
    text: 'As it stood at the checkout, to tell if the shop charges more.',
    isPersonal: true,
  },
  {
    key: 'pending-payment',
    where: 'tab',
    title: 'A payment you have started',
    text: 'Its code, until it has arrived or its time is over.',
    isPersonal: true,
  },
  {
    key: 'from',
    where: 'tab',
    title: 'Where you came from',
    text: 'To go back there after the sign-in.',
    isPersonal: true,
  },
  { key: 'notices', where: 'tab', title: 'A notice', text: 'For the next page, such as Order placed.' },
  { key: 'store', where: 'tab', title: 'The shop’s name and contact', text: 'As the shop says today.' },
  { key: 'warmed', where: 'tab', title: 'Next pages', text: 'Which were fetched ahead.' },
  { key: 'reloaded', where: 'tab', title: 'Last reload', text: 'When a page was out of date.' },
  { key: 'page-reloaded', where: 'tab', title: 'Last reload', text: 'Which page was out of date.' },
];

const UNITS = ['B', 'KB', 'MB'] as const;

/** Such as '0 B', '1.2 KB' or '3.4 MB'. */
export function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const value = bytes / 1024 ** step;
  return `${step === 0 ? value : value.toFixed(1)} ${UNITS[step]}`;
}
