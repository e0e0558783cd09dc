import { mkdir, rm } from 'node:fs/promises';
import { runStep } from './run-step.ts';
import { REPORTS, steps } from './steps.ts';

const verify = async (): Promise<boolean> => {
  await rm(REPORTS, { recursive: true, force: true });
  await mkdir(REPORTS, { recursive: true });
  let [allPassed, allFailed] = [0, 0];
  let ok = true;
  for (const step of steps) {
    process.stdout.write(`${step.name.padEnd(22)}`);
    const started = performance.now();
    const { ok: isOk, output, outcomes } = await runStep(step);
    const failures = outcomes.filter(({ passed }) => !passed);
    const failed = failures.length;
    const passed = outcomes.length - failed;
    allPassed += passed;
    allFailed += failed;
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
    const tests = step.report ? `  ${passed} passed, ${failed} failed` : '';
    process.stdout.write(`${isOk ? 'ok  ' : 'FAIL'} ${seconds} s${tests}\n`);
    if (isOk && step.isShown) process.stdout.write(output.replace(/^(?=.)/gm, '  '));
    if (isOk)
      for (const { file, title } of failures)
        process.stdout.write(`  passed only when asked again: ${file} › ${title}\n`);
    else {
      process.stdout.write(`\n${output.trimEnd()}\n\n'${step.name}' failed.\n`);
      ok = false;
      break;
    }
  }
  process.stdout.write(`${allPassed} passed, ${allFailed} failed\n`);
  return ok;
};

process.exitCode = (await verify()) ? 0 : 1;
