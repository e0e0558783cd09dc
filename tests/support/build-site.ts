import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startTestApi } from './api.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where the site under test is built. */
export const TEST_SITE = `${root}.cache/test-dist`;

/** Builds the site against an API of its own. Rejects with the build's output when it fails. */
export const buildSite = async (outDir = TEST_SITE): Promise<void> => {
  const api = await startTestApi();
  try {
    await rm(outDir, { recursive: true, force: true });
    const preload = new URL('./reach-api.ts', import.meta.url).href;
    const child = spawn(process.execPath, ['node_modules/astro/bin/astro.mjs', 'build'], {
      cwd: root,
      env: {
        ...process.env,
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${preload}`,
        REACH_API: api.url,
        PUBLIC_API_HOST: '',
        PUBLIC_IDEMPOTENCY_KEYS: 'true',
        OUT_DIR: outDir,
        ASTRO_TELEMETRY_DISABLED: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => output.push(chunk));
    await new Promise<void>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) =>
        code === 0 ? resolve() : reject(new Error(`The site was not built.\n${Buffer.concat(output)}`)),
      );
    });
  } finally {
    await api.close();
  }
};
