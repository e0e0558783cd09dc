import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const SIZE = fileURLToPath(new URL('../../check/size.ts', import.meta.url));

/** The byte budgets of `npm run size`, on this site. */
export async function checkBudgets(site: string): Promise<string[]> {
  const child = spawn(process.execPath, [SIZE, site], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if ((await ended) === 0) return [];
  const over = output.split('\n').filter((line) => line.includes('OVER'));
  return over.length > 0
    ? over.map((line) => `Over its byte budget: ${line.trim().replace(/\s+/g, ' ')}`)
    : [`The byte budgets could not be checked: ${(errors || output).trim()}`];
}
