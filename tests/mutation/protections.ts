/**
 * `npm run mutation:protections [-- 11 25 …]`: takes one protection away at a time, in a copy, and runs the tests of its
 * fault: each must fail. What is listed here was seen to fail.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

type Protection = readonly [fault: number, file: string, from: string, to: string, test: string];

const CLIENT = 'src/api/client.ts';
const CLIENT_TEST = 'tests/unit/api/client.test.ts';
const ORDERS_TEST = 'tests/api/orders.test.ts';
const USERS_TEST = 'tests/api/users.test.ts';
const PAYMENTS_TEST = 'tests/api/payments.test.ts';
const REQUEST = 'scripts/api/routes/order-request.ts';

const PROTECTIONS: readonly Protection[] = [
  [7, CLIENT, 'limit: 2,', 'limit: 0,', CLIENT_TEST],
  [11, 'src/api/answer.ts', 'isJson(response) ?', 'true ?', CLIENT_TEST],
  [12, CLIENT, 'ERROR_TEXT_LIMIT = 200', 'ERROR_TEXT_LIMIT = 100_000', CLIENT_TEST],
  [19, 'src/stores/place-order.ts', 'RESENDS = 2', 'RESENDS = 0', 'tests/unit/stores/place-order.test.ts'],
  [
    20,
    'src/stores/place-order.ts',
    'find((id) => !earlier.includes(id)) : undefined',
    'find(() => false) : undefined',
    'tests/unit/stores/place-order.test.ts',
  ],
  [21, 'scripts/api/routes/orders.ts', 'if (known) return known.answer;', '', ORDERS_TEST],
  [21, 'scripts/api/routes/orders.ts', 'known && known.bodyHash !== bodyHash', 'false', ORDERS_TEST],
  [
    24,
    'src/stores/storage.ts',
    "  memory.set(key, value);\n  return 'memory'",
    "  return 'memory'",
    'tests/unit/stores/cart.test.ts',
  ],
  [25, 'src/domain/cart.ts', "typeof line.id !== 'string'", 'false', 'tests/unit/domain/cart.test.ts'],
  [
    26,
    'src/domain/cart.ts',
    "typeof number !== 'number' || !(number >= MIN_QUANTITY)",
    'false',
    'tests/unit/domain/cart.test.ts',
  ],
  [28, 'src/stores/cart.ts', ' && !readOnly', '', 'tests/unit/stores/cart.test.ts'],
  [
    29,
    'src/stores/cart.ts',
    'const { lines, readOnly } = readCart();',
    'const { lines, readOnly } = { lines: $cart.get(), readOnly: false };',
    'tests/unit/stores/cart.test.ts',
  ],
  [
    33,
    'src/domain/cart.ts',
    'cart.filter((line) => line.id !== id)',
    'cart.slice(1)',
    'tests/unit/domain/cart.test.ts',
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
    'scripts/api/http/body.ts',
    "type.trim().toLowerCase() !== 'application/json'",
    'false',
    'tests/api/http.test.ts',
  ],
  [39, 'scripts/api/routes/users.ts', 'if (wait > 0)', 'if (wait < 0)', USERS_TEST],
  [
    41,
    'scripts/api/routes/users.ts',
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
  [
    46,
    'scripts/api/schema/users.ts',
    "v.string('Password must be at least 6 characters'),",
    "v.string('Password must be at least 6 characters'), v.trim(),",
    USERS_TEST,
  ],
  [
    51,
    'src/api/image.ts',
    "internal.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')",
    'address === internal.toString()',
    'tests/unit/api/image.test.ts',
  ],
  [
    52,
    'src/domain/payment-target.ts',
    "url.username !== '' || url.password !== ''",
    'false',
    'tests/unit/domain/payment-target.test.ts',
  ],
  [
    53,
    'src/domain/payment-target.ts',
    'DEEP_LINK_SCHEMES.includes(url.protocol)',
    "url.protocol !== 'javascript:'",
    'tests/unit/domain/payment-target.test.ts',
  ],
  [
    54,
    'src/domain/payment-target.ts',
    'hosts.length === 0 || hosts.includes(url.host)',
    'true',
    'tests/unit/domain/payment-target.test.ts',
  ],
  [
    63,
    'src/domain/money.ts',
    'Number(exponent) + 2',
    'Number(exponent) + 1',
    'tests/unit/domain/money.test.ts',
  ],
  [66, 'src/domain/money.ts', 'rupees >= 0', 'rupees >= -1', 'tests/unit/domain/money.test.ts'],
  [69, 'scripts/api/place-order.ts', 'total > BigInt(Number.MAX_SAFE_INTEGER)', 'false', ORDERS_TEST],
  [70, 'scripts/api/routes/payments.ts', "|| order.userId !== context.get('user').id", '', PAYMENTS_TEST],
  [
    71,
    'scripts/api/routes/orders.ts',
    'orderMisses.take(address) || track.take(id)',
    'track.take(id)',
    ORDERS_TEST,
  ],
  [
    72,
    'scripts/api/routes/orders.ts',
    'orderMisses.take(address) || track.take(id)',
    'orderMisses.take(address)',
    ORDERS_TEST,
  ],
  [
    76,
    'scripts/api/routes/payments.ts',
    'if (order.status !== STATUS.pending) return',
    'if (order.status === 99) return',
    PAYMENTS_TEST,
  ],
  [
    77,
    'scripts/api/routes/payments.ts',
    '|| !isSignedBy(',
    '|| !((...given: unknown[]) => given[2] !== undefined)(',
    PAYMENTS_TEST,
  ],
  [
    77,
    'scripts/api/payment-state.ts',
    'if (!isOpen(payment.state)) return payment.state;',
    'isOpen(payment.state);',
    'tests/api/payment-state.test.ts',
  ],
  [80, REQUEST, 'entries.length > PRODUCTS_MOST', 'false', ORDERS_TEST],
  [80, REQUEST, '!entries || entries.length === 0', '!entries', ORDERS_TEST],
  [
    93,
    'scripts/api/http/body.ts',
    'BODY_MOST = 64 * 1024',
    'BODY_MOST = 640 * 1024',
    'tests/api/http.test.ts',
  ],
];

const sandbox = resolve('.cache/protections');
rmSync(sandbox, { recursive: true, force: true });
for (const part of ['src', 'scripts', 'tests', 'package.json', 'tsconfig.json'])
  cpSync(part, join(sandbox, part), { recursive: true });
symlinkSync(resolve('node_modules'), join(sandbox, 'node_modules'));

const asked = process.argv.slice(2).map(Number);
const wanted = PROTECTIONS.filter(([fault]) => asked.length === 0 || asked.includes(fault));
let unseen = 0;
for (const [fault, file, from, to, test] of wanted) {
  const path = join(sandbox, file);
  const source = readFileSync(path, 'utf8');
  if (!source.includes(from)) throw new Error(`Fault ${fault}: ${file} no longer holds ${from}`);
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config=tests/vitest.config.ts', '--bail=1', test],
    { cwd: sandbox, encoding: 'utf8', timeout: 120_000, env: { ...process.env, NO_COLOR: '1' } },
  );
  writeFileSync(path, source);
  const failed =
    /FAIL +(.*)/
      .exec(stdout + stderr)?.[1]
      ?.split(' > ')
      .at(-1) ?? '';
  if (status === 0) unseen += 1;
  console.log(
    `${String(fault).padStart(3)}  ${status === 0 ? 'NOT SEEN' : 'fails'}  ${file}: ${from.slice(0, 60).replaceAll('\n', ' ')}  →  ${failed}`,
  );
}
console.log(`${wanted.length - unseen} of ${wanted.length} seen to fail`);
process.exitCode = unseen === 0 ? 0 : 1;
