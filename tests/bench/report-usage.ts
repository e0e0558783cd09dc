/** Loaded into every process of a measured build. At its end it appends CPU time and memory to USAGE_FILE. */
import { appendFileSync } from 'node:fs';

process.on('exit', () => {
  const file = process.env.USAGE_FILE;
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  if (file) appendFileSync(file, `${userCPUTime} ${systemCPUTime} ${maxRSS}\n`);
});
