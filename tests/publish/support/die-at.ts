/** Loaded before a build: kills it when it is about to write the file that DIE_AT names. */
import { promises } from 'node:fs';

const { writeFile } = promises;
promises.writeFile = async (...args) => {
  if (String(args[0]).endsWith(process.env.DIE_AT ?? '')) process.kill(process.pid, 'SIGKILL');
  return writeFile(...args);
};
