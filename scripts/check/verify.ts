import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { countTests, type TestCounts } from './counts.ts';
import { REPORTS, type Step, steps } from './steps.ts';

const run = ({ tool, args, env }: Step): Promise<{ ok: boolean; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tool, ...args], {
      env: { ...process.env, NO_COLOR: '1', ASTRO_TELEMETRY_DISABLED: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ ok: code === 0, output: Buffer.concat(chunks).toString() }));
  });

const readCounts = async (report: string | undefined): Promise<TestCounts> => {
  if (!report) return { passed: 0, failed: 0 };
  const text = await readFile(report, 'utf8').catch(() => '{}');
  return countTests(text);
};

const verify = async (): Promise<boolean> => {
  await rm(REPORTS, { recursive: true, force: true });
  await mkdir(REPORTS, { recursive: true });
  const total: TestCounts = { passed: 0, failed: 0 };
  let ok = true;
  for (const step of steps) {
    process.stdout.write(`${step.name.padEnd(22)}`);
    const started = performance.now();
    const result = await run(step);
    const counts = await readCounts(step.report);
    total.passed += counts.passed;
    total.failed += counts.failed;
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
    const tests = step.report ? `  ${counts.passed} passed, ${counts.failed} failed` : '';
    process.stdout.write(`${result.ok ? 'ok  ' : 'FAIL'} ${seconds} s${tests}\n`);
    if (!result.ok) {
      process.stdout.write(`\n${result.output.trimEnd()}\n\n'${step.name}' failed.\n`);
      ok = false;
      break;
    }
  }
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
  return ok;
};

process.exitCode = (await verify()) ? 0 : 1;
