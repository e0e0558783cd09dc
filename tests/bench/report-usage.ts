/** Loaded into every process of a measured build: what it took, appended to USAGE_FILE at its end. */
import { appendFileSync } from 'node:fs';

process.on('exit', () => {
  const file = process.env.USAGE_FILE;
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  if (file) appendFileSync(file, `${userCPUTime} ${systemCPUTime} ${maxRSS}\n`);
});
