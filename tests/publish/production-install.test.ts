import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { currentRelease } from '#scripts/doctor/live-release.ts';
import { freePort } from '#tests/support/free-port.ts';
import { copyOfTheShop, ROOT } from './support/run.ts';
import { publishTiny, tinyShop } from './support/tiny-site.ts';

const LockSchema = v.object({
  packages: v.record(
    v.string(),
    v.object({ dev: v.optional(v.boolean(), false), devOptional: v.optional(v.boolean(), false) }),
  ),
});

/** The shop as `npm ci --omit=dev --omit=optional` leaves it, but with Node: without what only development needs. */
function productionInstall(): string {
  const shop = copyOfTheShop();
  const { packages } = v.parse(LockSchema, JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    if (path === '' || dev || devOptional || !existsSync(join(ROOT, path)) || existsSync(join(shop, path)))
      continue;
    mkdirSync(dirname(join(shop, path)), { recursive: true });
    cpSync(join(ROOT, path), join(shop, path), {
      recursive: true,
      // Packages inside this one have entries of their own, because some of them may be left out.
      filter: (source) => source === join(ROOT, path) || !source.startsWith(join(ROOT, path, 'node_modules')),
    });
  }
  return shop;
}

/** Starts a program of that shop. */
function start(shop: string, env: NodeJS.Dict<string>, script: string, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [script, ...args], { cwd: shop, env: { ...process.env, ...env } });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  return child;
}

/** Waits for a line of a program that matches. */
async function lineOf({ stdout, stderr }: ChildProcess, pattern: RegExp): Promise<string> {
  if (!stdout || !stderr) throw new Error('The program has no output.');
  const errors = text(stderr);
  for await (const line of createInterface({ input: stdout })) if (pattern.test(line)) return line;
  throw new Error(`The program ended: ${await errors}`);
}

test('in production an install without what only development needs refuses what is true of the demo alone, builds, publishes and serves a live shop, and goes back without building', async () => {
  const shop = productionInstall();
  for (const name of ['typescript', 'vitest', 'playwright'])
    expect(existsSync(join(shop, 'node_modules', name))).toBe(false);
  const releases = join(shop, 'releases');
  await publishTiny(releases, tinyShop(20));
  const before = currentRelease(releases);
  const api = `http://127.0.0.1:${await freePort()}`;
  const env = {
    NODE_ENV: 'production',
    DATABASE: join(shop, 'shop.sqlite'),
    PORT: new URL(api).port,
    PUBLIC_API_HOST: api,
    SANDBOX_GATEWAY: 'off',
    CATALOGUE: join(ROOT, 'tests/api/fixtures/catalogue'),
    PUBLISH_DIR: releases,
  };
  const server = start(shop, env, 'scripts/api/server.ts');
  await lineOf(server, /"listening"/);
  const release = (...args: string[]) => start(shop, env, 'scripts/release.ts', ...args);
  const refused = release('--allow-heavy', '--allow-shrink');
  const [said] = await Promise.all([refused.stderr ? text(refused.stderr) : '', once(refused, 'close')]);
  expect([refused.exitCode, said]).toEqual([1, expect.stringContaining('what is not true')]);
  for (const claim of ['https://freshfruits.example', "'Anjali Deshmukh'"]) expect(said).toContain(claim);
  // It was refused before the build began.
  expect(existsSync(join(shop, '.cache/build/site'))).toBe(false);
  expect(currentRelease(releases)).toBe(before);
  await lineOf(release('--allow-heavy', '--allow-shrink', '--demo'), /Release 000002-\S+ is live/);

  const site = join(releases, 'current/site');
  const served = await lineOf(
    start(shop, {}, 'scripts/preview.ts', '--dir', site, '--port', String(await freePort())),
    /is served at/,
  );
  const DEMO = 'This is a demonstration shop.';
  const address = served.split(' ').at(-1) ?? '';
  const home = await fetch(address);
  expect([home.status, await home.text()]).toEqual([200, expect.stringContaining(DEMO)]);
  expect(await (await fetch(new URL('/login', address))).text()).toContain(DEMO);
  // It is for testers.
  expect((await fetch(new URL('/api-test', address))).status).toBe(404);

  server.kill('SIGKILL');
  await lineOf(release('--rollback'), /Back from 000002-\S+ to 000001-/);
  expect(currentRelease(releases)).toBe(before);
});
