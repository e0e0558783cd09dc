import type { Protection } from '#tests/mutation/protection.ts';

const PASSWORDS = 'scripts/api/passwords.ts';
const ACCOUNT = 'src/stores/account.ts';
const ACCOUNT_TEST = 'tests/unit/stores/account.test.ts';
const USERS_TEST = 'tests/api/users.test.ts';

/** Faults 35 to 46. */
export const ACCOUNTS: readonly Protection[] = [
  [
    35,
    'src/stores/place-order.ts',
    "if (isSignedOut(failure)) return { kind: 'signed-out' };",
    '',
    'tests/unit/stores/place-order.test.ts',
  ],
  [
    37,
    'src/domain/redirect.ts',
    "url?.origin !== base || url.pathname.startsWith('//')",
    'false',
    'tests/unit/domain/redirect.test.ts',
  ],
  [
    38,
    'scripts/api/http/request-body.ts',
    'type.trim().toLowerCase() !== wanted',
    'false',
    'tests/api/http.test.ts',
  ],
  [39, 'scripts/api/http/rate-limiter.ts', 'if (wait > 0)', 'if (wait < 0)', USERS_TEST],
  [
    40,
    PASSWORDS,
    '(await verify(stored ?? (await nobodysHash), password)) && stored !== undefined',
    'stored !== undefined && (await verify(stored, password))',
    USERS_TEST,
  ],
  [
    41,
    'scripts/api/stored-users.ts',
    'ON CONFLICT (email) DO NOTHING',
    'ON CONFLICT (email) DO UPDATE SET password_hash = excluded.password_hash',
    USERS_TEST,
  ],
  [42, 'src/api/schema/account.ts', ', v.regex(TOKEN)', '', 'tests/unit/api/schema/token.test.ts'],
  [
    43,
    'src/api/token.ts',
    "secure: location.protocol === 'https:'",
    'secure: false',
    'tests/unit/api/token.test.ts',
  ],
  [
    43,
    'scripts/api/sessions.ts',
    "createHash('sha256').update(token).digest('base64url')",
    'token',
    USERS_TEST,
  ],
  [43, 'scripts/api/sessions.ts', "createHash('sha256')", "createHash('md5')", USERS_TEST],
  [43, 'scripts/api/ids.ts', 'randomBytes(32)', 'randomBytes(15)', USERS_TEST],
  [
    44,
    'src/stores/private-page.ts',
    "addEventListener('pagehide', close);",
    '',
    'tests/unit/stores/orders.test.ts',
  ],
  [44, ACCOUNT, '  $account.set(LOADING_ACCOUNT);\n', '', ACCOUNT_TEST],
  [44, ACCOUNT, '    if (signal.aborted) return;\n', '', ACCOUNT_TEST],
  [45, PASSWORDS, 'limit.activeCount + limit.pendingCount >= atOnce + queue', 'false', USERS_TEST],
  [45, PASSWORDS, 'pLimit(atOnce)', 'pLimit(1_000)', USERS_TEST],
  [
    46,
    'scripts/api/schema/users.ts',
    "v.string('Password must be at least 6 characters'),",
    "v.string('Password must be at least 6 characters'), v.trim(),",
    USERS_TEST,
  ],
];
