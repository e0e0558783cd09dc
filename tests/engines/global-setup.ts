import { spawn } from 'node:child_process';
import { buildOnce } from '#tests/support/build-site.ts';
import { MISSING, PROGRAMS } from './programs.ts';

/** Builds the site, prints what is missing, and starts a display for WebKitGTK if needed. Returns its teardown. */
export default async function setUp(): Promise<() => void> {
  for (const [engine, missing] of Object.entries(MISSING))
    if (missing) console.log(`${engine} is skipped: ${missing}`);
  await buildOnce();
  if (process.env.DISPLAY || !PROGRAMS.xvfb) return () => {};
  const display = `:${100 + (process.pid % 900)}`;
  const server = spawn(PROGRAMS.xvfb, [display, '-screen', '0', '1280x900x24'], { stdio: 'ignore' });
  process.env.DISPLAY = display;
  return () => server.kill();
}
