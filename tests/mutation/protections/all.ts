import { ACCOUNTS } from './accounts.ts';
import { CONTENT } from './content.ts';
import { MONEY } from './money.ts';
import { NETWORK } from './network.ts';
import { ORDERS } from './orders.ts';
import { PUBLISHING } from './publishing.ts';
import { STORAGE } from './storage.ts';

export const PROTECTIONS = [
  ...NETWORK,
  ...STORAGE,
  ...ACCOUNTS,
  ...CONTENT,
  ...MONEY,
  ...ORDERS,
  ...PUBLISHING,
];
