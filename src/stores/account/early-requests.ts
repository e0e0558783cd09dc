import { ADDRESSES } from '#api/addresses.ts';
import { sendEarly } from '#api/early-requests.ts';
import { hasToken } from '#api/token-cookie.ts';

/* Runs in the head of the pages that show the account or its email: fetches the account. */

if (hasToken()) sendEarly([ADDRESSES.account]);
