import type { Protection } from '#tests/mutation/protection.ts';

const BUILD_TEST = 'tests/publish/build.test.ts';
const PUBLISH_TEST = 'tests/publish/publish.test.ts';
const COMMANDS_TEST = 'tests/publish/commands.test.ts';
const WATCH_TEST = 'tests/publish/watch.test.ts';
const POLICY_TEST = 'tests/publish/policy.test.ts';
const HOSTS_TEST = 'tests/publish/hosts.test.ts';
const SERVER_TEST = 'tests/unit/serve/server.test.ts';
const HOOK = 'scripts/publish/watch/hook-server.ts';
const RELEASES = 'scripts/publish/releases.ts';
const RULES = 'src/service-worker/rules.ts';
const RULES_TEST = 'tests/unit/service-worker/rules.test.ts';
const LAYOUT = 'src/layouts/Main.astro';
const HTTP_TEST = 'tests/api/http.test.ts';
const SERVER_API_TEST = 'tests/api/server.test.ts';

/** Faults 81 to 93. */
export const PUBLISHING: readonly Protection[] = [
  [
    81,
    'scripts/publish/staging.ts',
    'if (!existsSync(target) && old !== undefined) renameSync(old, target);',
    '',
    'tests/publish/prerender.test.ts',
  ],
  [
    81,
    RELEASES,
    'renameSync(link, join(root, CURRENT));',
    'rmSync(join(root, CURRENT), { force: true });\n  renameSync(link, join(root, CURRENT));',
    PUBLISH_TEST,
  ],
  [82, 'scripts/publish/checks/catalogue.ts', 'MOST_DROPPED = 0.05', 'MOST_DROPPED = 0.5', PUBLISH_TEST],
  [
    83,
    'scripts/publish/watch/rebuild-queue.ts',
    'if (running) pending = true;',
    'if (running) return;',
    WATCH_TEST,
  ],
  [
    83,
    'scripts/publish/watch/main.ts',
    "trigger: () => ask('asked for by the hook'),",
    "trigger: () => log('asked for by the hook'),",
    COMMANDS_TEST,
  ],
  [84, HOOK, 'timingSafeEqual(digest(given), digest(token))', 'token.startsWith(given)', WATCH_TEST],
  [84, HOOK, "request.method !== 'POST'", 'false', WATCH_TEST],
  [84, HOOK, 'MOST_A_MINUTE = 120', 'MOST_A_MINUTE = 120_000', WATCH_TEST],
  [85, RELEASES, 'KEPT = 5', 'KEPT = 50', PUBLISH_TEST],
  [
    85,
    'scripts/publish/main.ts',
    'await (values.rollback ? goBack() : goForward())',
    'await goForward()',
    COMMANDS_TEST,
  ],
  [85, 'scripts/publish/rollback.ts', 'switchTo(root, to);', '', PUBLISH_TEST],
  [86, LAYOUT, 'const path = ', 'console.log(JSON.stringify(process.env));\nconst path = ', BUILD_TEST],
  [
    86,
    'scripts/api/settings.ts',
    "v.minLength(16, 'must have at least 16 characters')",
    "v.minLength(16, ({ input }) => 'is too short: ' + input)",
    'tests/api/settings.test.ts',
  ],
  [87, 'scripts/publish/policy.ts', 'if (!isPayment) return ["\'self\'"];', '', HOSTS_TEST],
  [87, 'scripts/publish/policy.ts', "(isPayment ? ['data:'] : [])", "['data:']", HOSTS_TEST],
  [
    88,
    'scripts/publish/hosting.ts',
    "FOREVER = 'public, max-age=31536000, immutable'",
    "FOREVER = 'no-cache'",
    POLICY_TEST,
  ],
  [
    88,
    'scripts/serve/handler.ts',
    "FOREVER = 'public, max-age=31536000, immutable'",
    "FOREVER = 'no-cache'",
    SERVER_TEST,
  ],
  [
    89,
    'scripts/serve/handler.ts',
    "if (path.startsWith(HASHED)) return refuse(response, 404, 'Not found');",
    '',
    SERVER_TEST,
  ],
  [90, RULES, ' && !redirected', '', RULES_TEST],
  [90, RULES, "if (pathname.startsWith('/api/')) return undefined;", '', RULES_TEST],
  [91, LAYOUT, '<html', '<html data-made={Date.now()}', BUILD_TEST],
  [91, 'package-lock.json', '"terser": "5.51.2",', '', 'tests/unit/check/lock-file.test.ts'],
  [
    92,
    'src/pages/api-test/[...page].astro',
    "import.meta.env.PUBLIC_API_TEST === 'false'",
    'false',
    'tests/publish/odd-shop.test.ts',
  ],
  [93, 'scripts/api/http/node-server.ts', '() => server.closeAllConnections()', '() => {}', SERVER_API_TEST],
  [
    93,
    'scripts/api/http/node-server.ts',
    'if (!server.listening) server.closeIdleConnections();',
    '',
    SERVER_API_TEST,
  ],
  [93, 'scripts/api/http/request-body.ts', 'BODY_MOST = 64 * 1024', 'BODY_MOST = 640 * 1024', HTTP_TEST],
];
